// npm run siege [-- loads sweep kills fuzz soak]: attacks the service on both databases, and records the results in
// docs/siege.md, each part in its own section. With --attack NAME it replaces the rows of these attacks only, and
// with --print it writes nothing.
import { parseArgs } from 'node:util';
import { startPostgres } from '../../../core/test/support/postgres.ts';
import { besiege } from './attacks/besiege.ts';
import { maxMilliseconds, sweep } from './attacks/sweep.ts';
import { fuzzDatabase } from './fuzz.ts';
import { killDatabase } from './kills.ts';
import { builtCommand, type Place, printProgress } from './lab.ts';
import {
	circumstances,
	keepSection,
	loadNow,
	type Outcome,
	outcomeTable,
	shown,
	table,
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

interface Result {
	text: string;
	held: boolean;
}

const parts: Readonly<Record<string, (place: Place) => Promise<Result>>> = {
	async loads(place) {
		const measured = await besiege({ ...place, seconds: Number(values.seconds), only });
		const heads = 'Attack|What the attackers do|Others, quiet|Others, attacked|Limit|Held'.split(
			'|',
		);
		const rows = measured.map(({ name, attack, quiet, attacked, limit, held }) => [
			...[name, attack, quiet, attacked, limit, held ? 'yes' : '**no**'],
		]);
		return { text: table(heads, rows), held: measured.every(({ held }) => held) };
	},
	async sweep(place) {
		const swept = await sweep(place);
		const heads = 'Request, status and size of the response|Processor time, ms|Response, ms'.split(
			'|',
		);
		const rows = swept
			.slice(0, 12)
			.map(({ request, cost, time }) => [request, cost.toFixed(0), time.toFixed(0)]);
		const about = `The ${rows.length} costliest of ${shown(swept.length)} requests:`;
		const held = swept.every(({ time }) => time <= maxMilliseconds);
		return { text: `${about}\n\n${table(heads, rows, '--:')}`, held };
	},
	async kills(place) {
		const progress = printProgress('kills');
		const outcome = await killDatabase(place, { kills: Number(values.kills), progress });
		return told('Lost, duplicated or contradictory', outcome);
	},
	async fuzz(place) {
		const progress = printProgress('requests');
		const wanted = { requests: Number(values.requests), seed: Number(values.seed), progress };
		return told('Internal errors, traces, hangs', await fuzzDatabase(place, wanted));
	},
	async soak(place) {
		const progress = printProgress('leases');
		const wanted = { leases: Number(values.leases), boards: 20, users: 30, progress };
		return told('Stuck, lost or growing', await soak(place, wanted));
	},
};

function told(head: string, outcome: Outcome): Result {
	const text = outcomeTable(['Attack', 'Outcome', head], outcome);
	return { text, held: outcome.problems.length === 0 };
}

const chosen = positionals.length > 0 ? positionals : Object.keys(parts);
for (const database of values.database) {
	for (const name of only ? ['loads'] : chosen) await run(name, database);
}

async function run(name: string, database: string) {
	const part = parts[name];
	if (!part) throw new Error(`Unknown part ${name}; choose from: ${Object.keys(parts).join(', ')}`);
	console.error(`${name} on ${database}`);
	const load = loadNow();
	const cluster = database === 'PostgreSQL' ? await startPostgres() : undefined;
	const { text, held } = await part({ main: builtCommand, cluster: cluster?.url });
	await cluster?.remove();
	const section = `## ${name[0]?.toUpperCase()}${name.slice(1)} on ${database}

${circumstances(['npm run siege --', ...words].join(' '), load)} shared by the service, the database and the attackers.

${text}
`;
	console.log(section);
	if (!values.print) await keepSection(section);
	if (!held) process.exitCode = 1;
}
