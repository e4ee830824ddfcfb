import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { validateAction, validateWorkflow } from '@action-validator/core';
import { sampleFirmwarePath } from 'board-access-agent/samples';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { guideBlock } from '../support/guide.ts';
import { listen } from '../support/installed.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { prepareStep, readAction } from '../support/workflow-step.ts';

const exec = promisify(execFile);
const path = (file: string) => fileURLToPath(new URL(`../../${file}`, import.meta.url));
const workflows = ['github-workflow.yml', 'github-nightly-rotation.yml'].map(
	(name) => `examples/ci/${name}`,
);

/** What a workflow says, as far as the tests look at it. */
interface Workflow {
	jobs: Record<string, { steps: { uses?: string; with?: Record<string, string> }[] }>;
}

describe('the files for GitHub', () => {
	it('action.yml is a valid action', async () => {
		// The linter is older than node24, which its list of runtimes lacks.
		const action = (await readFile(path('action.yml'), 'utf8')).replace('node24', 'node20');
		expect(validateAction(action).errors).toEqual([]);
	});

	it.each(workflows)('%s is a valid workflow', async (file) => {
		expect(validateWorkflow(await readFile(path(file), 'utf8')).errors).toEqual([]);
	});

	it('the linter finds errors', () => {
		expect(validateWorkflow('on: push\njobs: {a: {steps: []}}').errors).not.toEqual([]);
	});
});

it('the guide names every input and output of the action', async () => {
	const guide = await readFile(path('docs/guides/ci.md'), 'utf8');
	const { inputs, outputs } = await readAction();
	for (const name of [...Object.keys(inputs), ...Object.keys(outputs)]) {
		expect(guide).toContain(`\`${name}\``);
	}
});

describe('the steps of the example workflow', () => {
	let server: Awaited<ReturnType<typeof listen>>;
	beforeAll(async () => {
		server = await listen({ agent: true });
	});
	afterAll(() => server.close());

	const steps = async () =>
		stepsOf(await readFile(path('examples/ci/github-workflow.yml'), 'utf8'));
	const stepsOf = (text: string) => {
		const workflow: Workflow = parse(text);
		return Object.values(workflow.jobs)
			.flatMap((job) => job.steps)
			.filter(({ uses }) => uses?.includes('board-access'))
			.map(({ with: inputs = {} }) => inputs);
	};

	it('use inputs that the action has', async () => {
		const { inputs } = await readAction();
		for (const step of await steps()) {
			expect(Object.keys(inputs)).toEqual(expect.arrayContaining(Object.keys(step)));
		}
	});

	it('do what their names say', async () => {
		const outputs = await runSteps(await steps());
		expect(JSON.parse(outputs.matrix ?? '').include).not.toEqual([]);
		expect(outputs.key).toMatch(/^key_[0-9a-f]{48}$/);
	});

	it('pass as the firmware test of the guide', async () => {
		const block = await guideBlock('yaml', 'command: run');
		expect(validateWorkflow(`on: push\n${block}`).errors).toEqual([]);
		const outputs = await runSteps(
			stepsOf(block).map((inputs) => ({
				...inputs,
				firmware: sampleFirmwarePath('arduino-uno'),
			})),
		);
		expect(outputs).toMatchObject({ result: 'passed' });
	});

	const runSteps = async (wanted: readonly Record<string, string>[]) => {
		const { runs } = await readAction();
		const values: Record<string, string> = {
			'secrets.SERVICE_API_KEY': server.demo?.apiKey ?? '',
			'vars.SERVICE_BASE_URL': server.baseUrl,
		};
		const given = (text: string) =>
			text.replace(/\$\{\{ (.+?) \}\}/g, (_, expression: string) => values[expression] ?? 'x');
		const outputs: Record<string, string> = {};
		for (const step of wanted) {
			const inputs = Object.entries(step).map(([name, value]) => [name, given(value)]);
			const prepared = await prepareStep(Object.fromEntries(inputs));
			await exec(process.execPath, [path(runs.main)], {
				env: { ...prepared.env, RUNNER_TEMP: await temporaryDirectory() },
			});
			Object.assign(outputs, await prepared.outputs());
		}
		return outputs;
	};
});
