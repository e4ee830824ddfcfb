// Reports each step, and what a reader has to know that the documents do not say.
import { stripVTControlCharacters } from 'node:util';
import type { Ended } from './machine.ts';

const unwritten: string[] = [];
let failed = false;

/** Something that a reader has to know and the documents do not say. */
export function assume(text: string) {
	return unwritten.push(text);
}

export function tell(title: string, { exitCode, output, seconds }: Ended) {
	console.log(
		`${exitCode === 0 ? 'ok    ' : 'FAILED'} ${seconds.toFixed(1).padStart(6)} s  ${title}`,
	);
	if (exitCode === 0) return;
	failed = true;
	const lines = stripVTControlCharacters(output).trimEnd().split('\n').slice(-40);
	for (const line of lines) console.log(`    ${line.slice(0, 200)}`);
}

export function conclude() {
	console.log('\nNot written, but needed:');
	for (const text of unwritten) console.log(`- ${text}`);
	if (unwritten.length === 0) console.log('- nothing');
	process.exitCode = failed ? 1 : 0;
}
