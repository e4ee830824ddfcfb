// docs/siege.md: a section for each part on each database. A run replaces its own sections.
import { readFile, writeFile } from 'node:fs/promises';
import type { Measured } from './attacks/besiege.ts';
import type { Swept } from './attacks/sweep.ts';
import type { FuzzResult } from './fuzz.ts';
import type { KillResult } from './kills.ts';
import type { SoakResult } from './soak.ts';

const page = new URL('../../../docs/siege.md', import.meta.url);

/** Where and how a section was measured. */
export interface Circumstances {
	date: string;
	commit: string;
	command: string;
	processors: number;
	/** The load of the machine before and after. */
	load: [number, number];
}

export function sectionOf(title: string, body: string, measured: Circumstances) {
	const { date, commit, command, processors, load } = measured;
	const [before, after] = load.map((value) => value.toFixed(1));
	return `## ${title}

Measured on ${date} at commit ${commit} by \`${command}\`, on ${processors} processors shared by the service, the database and the attackers (load ${before} before, ${after} after).

${body}
`;
}

/** Replaces the section with the same title, or adds it at the end. Rows of other attacks stay. */
export async function keepSection(section: string) {
	await writeFile(page, withSection(await readFile(page, 'utf8'), section));
}

function withSection(text: string, section: string) {
	const [title = ''] = section.split('\n');
	const sections = text.trimEnd().split(/\n(?=## )/);
	const place = sections.findIndex((other) => other.split('\n')[0] === title);
	const attacked = (row: string) => /^\| (\w+) \| (?!---|What )/.exec(row)?.[1];
	const names = new Set(section.split('\n').map(attacked));
	const others = sections[place]?.split('\n').filter((row) => !names.has(attacked(row))) ?? [];
	const complete = [section.trimEnd(), ...others.filter(attacked)].join('\n');
	sections.splice(place < 0 ? sections.length : place, place < 0 ? 0 : 1, complete);
	return `${sections.map((each) => each.trimEnd()).join('\n\n')}\n`;
}

export function loadsTable(measured: readonly Measured[]) {
	const rows = measured.map(
		({ name, attack, quiet, attacked, limit, held }) =>
			`| ${name} | ${attack} | ${quiet} | ${attacked} | ${limit} | ${held ? 'yes' : '**no**'} |`,
	);
	return `| Attack | What the attackers do | Others, quiet | Others, attacked | Limit | Held |
| --- | --- | --- | --- | --- | --- |
${rows.join('\n')}`;
}

export function sweepTable(swept: readonly Swept[]) {
	const rows = swept
		.slice(0, 12)
		.map(({ request, cost, time }) => `| ${request} | ${cost.toFixed(0)} | ${time.toFixed(0)} |`);
	return `The ${rows.length} costliest of ${count(swept.length)} requests:

| Request, status and size of the response | Processor time, ms | Response, ms |
| --- | --: | --: |
${rows.join('\n')}`;
}

export function killsTable({ kills, confirmed, repeated, losses, seconds }: KillResult) {
	const { keys, revocations, leases, releases } = confirmed;
	return `| Attack | Outcome | Lost, duplicated or contradictory |
| --- | --- | --- |
| ${count(kills)} SIGKILLs under write load, in ${count(seconds)} s | confirmed: ${count(keys)} keys, ${count(revocations)} revocations, ${count(leases)} leases, ${count(releases)} releases; ${count(repeated)} requests repeated after a kill | ${listed(losses)} |`;
}

export function fuzzTable({
	requests,
	responses,
	statuses,
	violations,
	megabytes,
	seconds,
}: FuzzResult) {
	const codes = Object.entries(statuses).map(([status, number]) => `${status}: ${count(number)}`);
	return `| Attack | Outcome | Internal errors, traces, hangs |
| --- | --- | --- |
| ${count(requests)} invalid requests over sockets, in ${count(seconds)} s | ${count(responses)} responses (${codes.join(', ')}), memory from ${count(megabytes.start)} to at most ${count(megabytes.most)} MB | ${listed(violations)} |`;
}

export function soakTable({ leases, flashed, samples, problems, seconds }: SoakResult) {
	const memory = samples.map((sample) => sample.join(', ')).join(' → ');
	return `| Attack | Outcome | Stuck, lost or growing |
| --- | --- | --- |
| ${count(leases)} leases of 20 emulated boards by 30 users, in ${count(seconds)} s | ${count(flashed)} flashed firmware and waited for its first line; MB of each replica and of the agent, after each tenth: ${memory} | ${listed(problems)} |`;
}

function listed(problems: readonly string[]) {
	if (problems.length === 0) return 'none';
	return problems.join('<br>').replaceAll('|', '\\|').replaceAll('\n', '<br>');
}

function count(number: number) {
	return Math.round(number).toLocaleString('en');
}
