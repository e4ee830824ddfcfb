// The mutants of mutants.txt: a rule with the file that keeps it and a test of it, then the text to replace
// after `-`, and what breaks the rule after `+`.
import { readFileSync } from 'node:fs';

export interface Mutant {
	rule: string;
	/** From the root of the repository. */
	file: string;
	/** Text that the file contains once. */
	from: string;
	to: string;
	/** The test file that must fail, below core or service. */
	test: string;
}

export function readMutants(): Mutant[] {
	const text = readFileSync(new URL('./mutants.txt', import.meta.url), 'utf8').trimEnd();
	return text.split(/\n(?![+-])/).map((entry) => {
		const [head = '', ...lines] = entry.split('\n');
		const [rule = '', file = '', test = ''] = head.split(' | ');
		const after = (sign: string) =>
			lines.flatMap((line) => (line.startsWith(sign) ? [line.slice(1)] : [])).join('\n');
		return { rule, file, test, from: after('-'), to: after('+') };
	});
}
