// A step as the runner of GitHub Actions sets it up: inputs as variables, outputs in files.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { temporaryDirectory } from './temporary-directory.ts';

const actionFile = fileURLToPath(new URL('../../action.yml', import.meta.url));

/** What `action.yml` says, as far as the tests look at it. */
interface Action {
	inputs: Record<string, { default: string }>;
	outputs: Record<string, unknown>;
	runs: { main: string; post: string };
}

export async function readAction(): Promise<Action> {
	return parse(await readFile(actionFile, 'utf8'));
}

function inputVariables(inputs: Readonly<Record<string, string>>) {
	return Object.fromEntries(
		Object.entries(inputs).map(([name, value]) => [
			`INPUT_${name.replaceAll(' ', '_').toUpperCase()}`,
			value,
		]),
	);
}

async function assignmentsIn(file: string) {
	const text = await readFile(file, 'utf8');
	const found = text.matchAll(/^(.+?)<<(.+)\n([\s\S]*?)\n\2\n/gm);
	return Object.fromEntries([...found].map(([, name, , value]) => [name, value]));
}

const files = ['GITHUB_OUTPUT', 'GITHUB_STATE', 'GITHUB_STEP_SUMMARY'] as const;

/** Prepares a step with these inputs; what is not given has the default of `action.yml`. */
export async function prepareStep(inputs: Readonly<Record<string, string>>, env = {}) {
	const directory = await temporaryDirectory();
	const path = (name: string) => join(directory, name);
	for (const name of files) await writeFile(path(name), '');
	const defaults = Object.entries((await readAction()).inputs).map(
		([name, input]) => [name, input.default] as const,
	);
	return {
		env: {
			...Object.fromEntries(files.map((name) => [name, path(name)])),
			RUNNER_TEMP: directory,
			...inputVariables({ ...Object.fromEntries(defaults), ...inputs }),
			...env,
		} satisfies Record<string, string>,
		outputs: () => assignmentsIn(path('GITHUB_OUTPUT')),
		/** The variables in which the end of the job finds what was saved. */
		state: async () =>
			Object.fromEntries(
				Object.entries(await assignmentsIn(path('GITHUB_STATE'))).map(([name, value]) => [
					`STATE_${name}`,
					value,
				]),
			),
		summary: () => readFile(path('GITHUB_STEP_SUMMARY'), 'utf8'),
	};
}
