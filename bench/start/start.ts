// How long a short script takes: to import a client, and to send one request. Each run is a new process;
// the clients take turns.
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { here, run, start } from '../child.ts';
import { peers } from '../client/peers.ts';
import type { Pace } from '../pace.ts';
import { bars } from '../report/chart.ts';
import type { Section, Table } from '../report/section.ts';
import { number, ratios, shuffled, spreadOf, withSpread } from '../statistics.ts';

const script = here('start/script.mjs');
const ourModule = pathToFileURL(here('../dist/index.js')).href;
const ourCommonJs = here('../dist/index.cjs');

interface Tried {
	/** Milliseconds until the import or the response. */
	inside: number;
	/** Milliseconds of processor time of the whole process. */
	cpu: number;
	/** Milliseconds from starting the process to its end. */
	whole: number;
}

interface Candidate {
	name: string;
	argv: readonly string[];
}

const importing: readonly Candidate[] = [
	{ name: 'using Request', argv: ['touch', 'Request'] },
	{ name: 'board-access (ESM)', argv: ['import', ourModule] },
	{ name: 'board-access (CommonJS)', argv: ['require', ourCommonJs] },
	...peers.flatMap(({ name, packageName, withPackages }) =>
		packageName && !withPackages ? [{ name, argv: ['import', packageName] }] : [],
	),
];

export async function startUp({ rounds }: Pace['start']): Promise<Section> {
	await writePeers();
	const { child, first: origin } = await start<string>('client/server.ts');
	const imports = await tryAll(importing, rounds);
	const answers = await tryAll(answering(origin), rounds);
	child.disconnect();
	const whole = (name: string) => (answers.get(name) ?? []).map((each) => each.whole);
	return {
		name: 'start',
		title: 'Starting',
		text: [
			`Every figure is from a new Node process, ${rounds} rounds in turns. The first use of \`Request\` loads Node's fetch: it is the minimum for every client that uses it and prepares a request. The second table is a whole script: it imports the client, sends one request for 20 records and ends.`,
		],
		plots: [
			await bars({
				name: 'whole-script',
				title: 'A script with one request, from start to end, × global fetch',
				bars: peers.map(({ name }) => ({ name, ...ratios(whole(name), whole('global fetch')) })),
			}),
		],
		tables: [
			tableOf(imports, {
				title: 'Import',
				base: 'using Request',
				measure: 'inside',
				what: 'import',
			}),
			tableOf(answers, {
				title: 'A whole script',
				base: 'global fetch',
				measure: 'whole',
				what: 'whole process',
			}),
		],
	};
}

async function attempt(...argv: string[]): Promise<Tried> {
	const startedAt = performance.now();
	const { stdout } = await run(process.execPath, [script, ...argv]);
	const whole = performance.now() - startedAt;
	return { whole, ...(JSON.parse(stdout) as Omit<Tried, 'whole'>) }; // what the script prints
}

function answering(origin: string): readonly Candidate[] {
	return peers.map(({ name }) => ({ name, argv: ['answer', name, origin] }));
}

async function tryAll(candidates: readonly Candidate[], rounds: number) {
	const tried = new Map<string, Tried[]>(candidates.map(({ name }) => [name, []]));
	for (const { argv } of candidates) await attempt(...argv); // the files are in memory from here on
	for (let round = 0; round < rounds; round += 1) {
		for (const { name, argv } of shuffled(candidates))
			tried.get(name)?.push(await attempt(...argv));
	}
	return tried;
}

function tableOf(
	tried: ReadonlyMap<string, Tried[]>,
	{
		base,
		measure,
		title,
		what,
	}: { base: string; measure: 'inside' | 'whole'; title: string; what: string },
): Table {
	const of = (name: string, key: keyof Tried) => (tried.get(name) ?? []).map((each) => each[key]);
	const rows = [...tried.keys()]
		.map((name) => ({ name, ratio: ratios(of(name, measure), of(base, measure)) }))
		.toSorted((one, other) => one.ratio.median - other.ratio.median)
		.map(({ name, ratio }) => [
			name.startsWith('board-access') ? `**${name}**` : name,
			withSpread(ratio),
			number(spreadOf(of(name, measure)).median),
			number(spreadOf(of(name, 'cpu')).median),
		]);
	return { title, head: ['', `× ${base}`, `${what}, ms`, 'CPU of the process, ms'], rows };
}

/** The same clients without types, for scripts that are timed. */
function writePeers() {
	return build({
		entryPoints: [here('client/peers.ts')],
		outfile: here('start/peers.generated.mjs'),
		bundle: true,
		format: 'esm',
		packages: 'external',
		external: ['*/dist/index.js'],
		logLevel: 'error',
	});
}
