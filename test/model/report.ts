// docs/model.md: a run replaces its own section.
import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import type { Found } from './mutants-main.ts';

const page = new URL('../../docs/model.md', import.meta.url);

/** Replaces what is between the marks of a section. */
export async function writeSection(name: 'mutants' | 'year', text: string) {
	const before = await readFile(page, 'utf8');
	const section = new RegExp(`(<!-- ${name} -->\n)[\\s\\S]*(<!-- end of ${name} -->)`);
	if (!section.test(before)) throw new Error(`docs/model.md has no section ${name}`);
	await writeFile(
		page,
		before.replace(section, (_, start, end) => `${start}\n${text}\n\n${end}`),
	);
}

export interface Run {
	/** The commit, as it was when the run began. */
	commit: string;
	first: number;
	histories: number;
	seconds: number;
	/** The seeds that broke each rule. */
	failed: ReadonlyMap<string, readonly string[]>;
}

/** A row of the table of runs in docs/model.md. */
export function describeRun({ commit, first, histories, seconds, failed }: Run) {
	const broken = [...failed].map(([rule, seeds]) => `${rule}: ${seeds.join(', ')}`);
	const pace = (histories / seconds).toFixed(1);
	return `| ${first} to ${first + histories - 1} | ${histories.toLocaleString('en')} | ${commit} | ${pace} | ${broken.join('; ') || 'none'} |`;
}

/** Adds a row to the table, and says how many histories there are. */
export async function addRun(row: string) {
	const before = await readFile(page, 'utf8');
	const after = before.replace(/(\| seeds \|.*\n(?:\|.*\n)+)/, (_, table) => `${table}${row}\n`);
	const counts = [...after.matchAll(/^\| \d+ to \d+ \| ([\d,]+) \|/gm)];
	const total = counts.reduce((sum, [, count = '']) => sum + Number(count.replaceAll(',', '')), 0);
	const goal = `${total.toLocaleString('en')} of 1,000,000 histories`;
	await writeFile(page, after.replace(/[\d,]+ of 1,000,000 histories/, goal));
}

/** The first seed of a commit: other commits have others. */
export function firstSeedOf(commit: string) {
	return Number.parseInt(commit, 16) || 1;
}

export function describeMutants(found: readonly Found[]) {
	const rows = found.map(
		({ mutant: { row, bug }, rule, seed, histories }) =>
			`| ${row} | ${bug} | ${rule || 'not found'} | ${seed ?? '–'} | ${histories} |`,
	);
	return [
		`Run on ${new Date().toISOString().slice(0, 10)} at commit ${commit()}.`,
		'',
		'| row | bug that is put back | rule that finds it | seed | histories until then |',
		'| --- | --- | --- | --: | --: |',
		...rows,
	].join('\n');
}

/** Empty if it is not known. */
export function commit() {
	try {
		return execFileSync('git', ['rev-parse', '--short=8', 'HEAD'], {
			cwd: new URL('.', import.meta.url),
			stdio: 'pipe',
		})
			.toString()
			.trim();
	} catch {
		return '';
	}
}
