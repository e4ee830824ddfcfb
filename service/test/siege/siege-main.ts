// npm run siege [-- --seconds 10 --kills 1000 --requests 1000000 --seed 1]: attacks the service on
// both databases, and writes what it held to docs/siege.md. With --scenario NAME it measures only this
// one, and writes nothing.
import { writeFile } from 'node:fs/promises';
import { availableParallelism, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { startPostgres } from '../support/postgres.ts';
import { type FuzzResult, fuzzDatabase } from './fuzz.ts';
import { type KillResult, killDatabase } from './kills.ts';
import { builtCommand } from './lab.ts';
import { besiege, type Measured, scenarioNames } from './scenarios.ts';

const { values } = parseArgs({
	options: {
		seconds: { type: 'string', default: '10' },
		kills: { type: 'string', default: '1000' },
		requests: { type: 'string', default: '1000000' },
		seed: { type: 'string', default: '1' },
		scenario: { type: 'string', multiple: true },
	},
});
const seconds = Number(values.seconds);
const kills = Number(values.kills);
const requests = Number(values.requests);
const seed = Number(values.seed);
const only = values.scenario;
const unknown = only?.find((name) => !scenarioNames.includes(name));
if (unknown !== undefined)
	throw new Error(`There is no scenario ${unknown}: ${scenarioNames.join(', ')}`);

interface Report {
	name: string;
	measured: Measured[];
	killed: KillResult | undefined;
	fuzzed: FuzzResult | undefined;
}

const cluster = await startPostgres();
const reports: Report[] = [];
for (const [name, url] of [
	['SQLite', undefined],
	['PostgreSQL', cluster.url],
] as const) {
	const place = { main: builtCommand, cluster: url };
	console.error(name);
	const measured = await besiege({ ...place, seconds, only });
	const killed = only ? undefined : await killDatabase(place, { kills });
	const fuzzed = only ? undefined : await fuzzDatabase(place, { requests, seed });
	reports.push({ name, measured, killed, fuzzed });
}
await cluster.remove();
const text = reports.map(section).join('\n');
const intro = `# Siege

What the service held, measured on ${new Date().toISOString().slice(0, 10)} by \`npm run siege -- --seconds ${seconds} --kills ${kills} --requests ${requests} --seed ${seed}\`. Service, database and attackers shared one machine with ${availableParallelism()} processors (load at the end: ${(loadavg()[0] ?? 0).toFixed(1)}). \`SECURITY.md\` lists the defenses; the short form of all this is \`service/test/siege.test.ts\`.
`;
if (!only) await writeFile(new URL('../../../docs/siege.md', import.meta.url), `${intro}\n${text}`);
console.log(text);
const failed = reports.some(
	({ measured, killed, fuzzed }) =>
		measured.some(({ held }) => !held) || killed?.losses.length || fuzzed?.violations.length,
);
if (failed) process.exitCode = 1;

function section({ name, measured, killed, fuzzed }: Report) {
	const rows = measured.map(
		({ scenario, attack, outcome, limit, held }) =>
			`| ${scenario} | ${attack} | ${outcome} | ${limit} | ${held ? 'yes' : '**no**'} |`,
	);
	return `## ${name}

| Load | Attack | Outcome | Limit | Held |
| --- | --- | --- | --- | --- |
${rows.join('\n')}
${killed && fuzzed ? faults(killed, fuzzed) : ''}`;
}

function faults(killed: KillResult, fuzzed: FuzzResult) {
	return `
| Faults and bad input | Outcome | Lost or broken |
| --- | --- | --- |
| ${count(killed.kills)} SIGKILLs under writing load, in ${killed.seconds.toFixed(0)} s | ${confirmedText(killed)} | ${listed(killed.losses)} |
| ${count(fuzzed.requests)} invalid requests over sockets, in ${fuzzed.seconds.toFixed(0)} s | ${fuzzText(fuzzed)} | ${listed(fuzzed.violations)} |
`;
}

function confirmedText({ confirmed, repeated }: KillResult) {
	const { keys, revocations, leases, releases } = confirmed;
	return `confirmed: ${count(keys)} keys, ${count(revocations)} revocations, ${count(leases)} leases, ${count(releases)} releases; ${count(repeated)} requests repeated after a kill`;
}

function fuzzText({ responses, statuses, megabytes }: FuzzResult) {
	const codes = Object.entries(statuses).map(([status, number]) => `${status}: ${count(number)}`);
	return `${count(responses)} responses (${codes.join(', ')}), memory from ${megabytes.start.toFixed(0)} to at most ${megabytes.most.toFixed(0)} MB`;
}

function listed(problems: string[]) {
	return problems.length === 0 ? 'nothing' : problems.join('<br>').replaceAll('|', '\\|');
}

function count(number: number) {
	return number.toLocaleString('en');
}
