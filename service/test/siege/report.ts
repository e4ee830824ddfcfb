// The figures of a run, and how docs/siege.md tells them: a section for each part on each database.
import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { availableParallelism, loadavg } from 'node:os';

/** One attack, and what must not be. */
export interface Outcome {
	attack: string;
	outcome: string;
	problems: string[];
}

/** Milliseconds within which half of the responses, nearly all and the last one arrived. */
export interface Summary {
	requests: number;
	failed: number;
	p50: number;
	p95: number;
	p99: number;
	most: number;
}

/** Of times in which NaN stands for a request that failed. */
export function summaryOf(all: readonly number[]): Summary {
	const times = all.filter((time) => !Number.isNaN(time)).toSorted((one, other) => one - other);
	const at = (share: number) => times[Math.floor((times.length - 1) * share)] ?? Number.NaN;
	const [requests, failed] = [all.length, all.length - times.length];
	return { requests, failed, p50: at(0.5), p95: at(0.95), p99: at(0.99), most: at(1) };
}

/** With one digit after the point where it is small. */
export function shown(value: number) {
	if (Number.isNaN(value)) return '–';
	const digits = value >= 10 || value === 0 ? 0 : 1;
	return value.toLocaleString('en', { maximumFractionDigits: digits });
}

/** A table in Markdown; the rule is that of all columns but the first. */
export function table(
	heads: readonly string[],
	rows: readonly (readonly string[])[],
	rule = '---',
) {
	const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
	const rules = heads.map((_, index) => (index === 0 ? '---' : rule));
	return [heads, rules, ...rows].map(line).join('\n');
}

export const loadNow = () => (loadavg()[0] ?? 0).toFixed(1);

/** When, where and how it was measured, with the load of the machine before and after. */
export function circumstances(command: string, loadBefore: string) {
	const date = new Date().toISOString().slice(0, 10);
	const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
	return `Measured on ${date} at commit ${commit} by \`${command}\` (load ${loadBefore} before, ${loadNow()} after), on ${availableParallelism()} processors`;
}

export function outcomeTable(heads: readonly string[], { attack, outcome, problems }: Outcome) {
	const listed = problems.join('<br>').replaceAll('|', '\\|').replaceAll('\n', '<br>') || 'none';
	return table(heads, [[attack, outcome, listed]]);
}

const page = new URL('../../../docs/siege.md', import.meta.url);

/** Replaces the section with the same title, or adds it at the end. Rows of other attacks stay. */
export async function keepSection(section: string) {
	const [title] = section.split('\n');
	const sections = (await readFile(page, 'utf8')).trimEnd().split(/\n(?=## )/);
	const place = sections.findIndex((other) => other.split('\n')[0] === title);
	const attacked = (row: string) => /^\| (\w+) \| (?!---|What )/.exec(row)?.[1];
	const names = new Set(section.split('\n').map(attacked));
	const others = sections[place]?.split('\n').filter((row) => !names.has(attacked(row))) ?? [];
	const complete = [section.trimEnd(), ...others.filter(attacked)].join('\n');
	sections.splice(place < 0 ? sections.length : place, place < 0 ? 0 : 1, complete);
	await writeFile(page, `${sections.map((each) => each.trimEnd()).join('\n\n')}\n`);
}
