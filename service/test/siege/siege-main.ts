// npm run siege [-- loads sweep kills fuzz soak]: attacks the service on both databases, and records the results in
// docs/siege.md, each part in its own section. With --attack NAME it replaces the rows of these attacks only, and
// with --print it writes nothing.
import { execFile } from 'node:child_process';
import { availableParallelism, loadavg } from 'node:os';
import { parseArgs, promisify } from 'node:util';
import { startPostgres } from '../support/postgres.ts';
import { besiege } from './attacks/besiege.ts';
import { mostMilliseconds, sweep } from './attacks/sweep.ts';
import { fuzzDatabase } from './fuzz.ts';
import { killDatabase } from './kills.ts';
import { builtCommand, type Place, printProgress } from './lab.ts';
import {
	fuzzTable,
	keepSection,
	killsTable,
	loadsTable,
	sectionOf,
	soakTable,
	sweepTable,
} from './report.ts';
import { soak } from './soak.ts';

const words = process.argv.slice(2);
const { values, positionals } = parseArgs({
	args: words,
	allowPositionals: true,
	options: {
		database: { type: 'string', multiple: true, default: ['SQLite', 'PostgreSQL'] },
		seconds: { type: 'string', default: '10' },
		kills: { type: 'string', default: '1000' },
		requests: { type: 'string', default: '1000000' },
		seed: { type: 'string', default: '1' },
		leases: { type: 'string', default: '10000' },
		attack: { type: 'string', multiple: true },
		print: { type: 'boolean', default: false },
	},
});
const only = values.attack;

interface Outcome {
	table: string;
	held: boolean;
}

const parts: Readonly<Record<string, (place: Place) => Promise<Outcome>>> = {
	async loads(place) {
		const measured = await besiege({ ...place, seconds: Number(values.seconds), only });
		return { table: loadsTable(measured), held: measured.every(({ held }) => held) };
	},
	async sweep(place) {
		const swept = await sweep(place);
		return { table: sweepTable(swept), held: swept.every(({ time }) => time <= mostMilliseconds) };
	},
	async kills(place) {
		const progress = printProgress('kills');
		const result = await killDatabase(place, { kills: Number(values.kills), progress });
		return { table: killsTable(result), held: result.losses.length === 0 };
	},
	async fuzz(place) {
		const progress = printProgress('requests');
		const wanted = { requests: Number(values.requests), seed: Number(values.seed), progress };
		const result = await fuzzDatabase(place, wanted);
		return { table: fuzzTable(result), held: result.violations.length === 0 };
	},
	async soak(place) {
		const progress = printProgress('leases');
		const wanted = { leases: Number(values.leases), boards: 20, users: 30, progress };
		const result = await soak(place, wanted);
		return { table: soakTable(result), held: result.problems.length === 0 };
	},
};

const chosen = positionals.length > 0 ? positionals : Object.keys(parts);
for (const database of values.database) {
	for (const name of only ? ['loads'] : chosen) await run(name, database);
}

async function run(name: string, database: string) {
	const part = parts[name];
	if (!part) throw new Error(`Unknown part ${name}; choose from: ${Object.keys(parts).join(', ')}`);
	console.error(`${name} on ${database}`);
	const before = loadNow();
	const cluster = database === 'PostgreSQL' ? await startPostgres() : undefined;
	const { table, held } = await part({ main: builtCommand, cluster: cluster?.url });
	await cluster?.remove();
	const title = `${name[0]?.toUpperCase()}${name.slice(1)} on ${database}`;
	const section = sectionOf(title, table, {
		date: new Date().toISOString().slice(0, 10),
		commit: (await promisify(execFile)('git', ['rev-parse', '--short', 'HEAD'])).stdout.trim(),
		command: ['npm run siege --', ...words].join(' '),
		processors: availableParallelism(),
		load: [before, loadNow()],
	});
	console.log(section);
	if (!values.print) await keepSection(section);
	if (!held) process.exitCode = 1;
}

function loadNow() {
	return loadavg()[0] ?? 0;
}
