// The protocol of the GitHub Actions runner: inputs are variables; outputs are lines and files.
import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { printableText } from '../contract/printable.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export class Runner {
	readonly #env: Environment;
	readonly #print: (text: string) => unknown;

	constructor(env: Environment, print: (text: string) => unknown) {
		this.#env = env;
		this.#print = print;
	}

	variable(name: string) {
		return this.#env[name] ?? '';
	}

	/** An input of the step; empty if it was not given. */
	input(name: string) {
		return this.variable(`INPUT_${name.toUpperCase()}`).trim();
	}

	given(name: string) {
		return this.input(name) || undefined;
	}

	flag(name: string) {
		const text = this.input(name);
		if (/^(true|false)$/i.test(text)) return text.toLowerCase() === 'true';
		throw new Error(`The input ${name} must be true or false`);
	}

	mask(secret: string) {
		for (const line of secret.split(/\r?\n/)) if (line !== '') this.#command('add-mask', line);
	}

	output(name: string, value: string) {
		this.#append('GITHUB_OUTPUT', assignment(name, value));
	}

	/** Saves a value for the end of the job. */
	saveState(name: string, value: string) {
		this.#append('GITHUB_STATE', assignment(name, value));
	}

	state(name: string) {
		return this.variable(`STATE_${name}`);
	}

	summary(html: string) {
		this.#append('GITHUB_STEP_SUMMARY', `${html}\n`);
	}

	info(text: string) {
		this.#print(`${printableText(text)}\n`);
	}

	warning(text: string) {
		this.#command('warning', printableText(text));
	}

	error(text: string) {
		this.#command('error', printableText(text));
	}

	#command(name: string, text: string) {
		this.#print(`::${name}::${escaped(text)}\n`);
	}

	#append(variable: string, text: string) {
		const file = this.variable(variable);
		if (file !== '') appendFileSync(file, text);
	}
}

function escaped(text: string) {
	return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

/** A value of any number of lines, ended by a random line. */
function assignment(name: string, value: string) {
	const end = randomUUID();
	return `${name}<<${end}\n${value}\n${end}\n`;
}
