// docs/model.md: a run replaces its own section.
import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import type { Found } from './mutants-main.ts';

const page = new URL('../../docs/model.md', import.meta.url);

/** Replaces what is between the marks of a section. */
export async function writeSection(name: 'result' | 'mutants' | 'year', text: string) {
	const before = await readFile(page, 'utf8');
	const section = new RegExp(`(<!-- ${name} -->\n)[\\s\\S]*(<!-- end of ${name} -->)`);
	if (!section.test(before)) throw new Error(`docs/model.md has no section ${name}`);
	await writeFile(
		page,
		before.replace(section, (_, start, end) => `${start}\n${text}\n\n${end}`),
	);
}

export interface Result {
	histories: number;
	first: number;
	seconds: number;
	/** Milliseconds of processor time. */
	cost: number;
	failed: ReadonlyMap<string, readonly string[]>;
}

export function describeResult({ histories, first, seconds, cost, failed }: Result) {
	const last = first + histories - 1;
	const broken = [...failed].map(
		([rule, seeds]) => `| ${rule} | ${seeds.length} | ${seeds.slice(0, 5).join(', ')} |`,
	);
	return [
		`Run on ${new Date().toISOString().slice(0, 10)} at commit ${commit()}: ${histories.toLocaleString('en')} histories, seeds ${first} to ${last}, ${(histories / seconds).toFixed(1)} a second, ${(cost / histories).toFixed(0)} ms of processor time each.`,
		'',
		broken.length === 0
			? 'No rule was broken.'
			: ['| rule | broken by | seeds |', '| --- | --: | --- |', ...broken].join('\n'),
	].join('\n');
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

export function commit() {
	return execFileSync('git', ['rev-parse', '--short', 'HEAD'], {
		cwd: new URL('.', import.meta.url),
	})
		.toString()
		.trim();
}
