import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ApiKey, BoardAccess } from 'board-access';
import { createTestService } from 'board-access-service/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endJob, runStep } from '../../src/action/run.ts';
import { Runner } from '../../src/action/runner.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { prepareStep, readAction } from '../support/workflow-step.ts';

let service: Awaited<ReturnType<typeof createTestService>>;
beforeAll(async () => {
	service = await createTestService();
});
afterAll(() => service.close());

const apiKey = () => service.demo?.apiKey ?? '';
const collect = () => {
	const lines: string[] = [];
	return { lines, print: (text: string) => lines.push(text) };
};

const step = async (inputs: Record<string, string>, { env = {}, fetch = service.fetch } = {}) => {
	const prepared = await prepareStep(
		{ 'api-key': apiKey(), 'base-url': 'http://localhost', ...inputs },
		env,
	);
	const log = collect();
	const exitCode = await runStep(new Runner(prepared.env, log.print), fetch);
	const end = async () => {
		const variables = { ...prepared.env, ...(await prepared.state()) };
		const last = collect();
		const code = await endJob(new Runner(variables, last.print), fetch);
		return { exitCode: code, log: last.lines.join('') };
	};
	return { ...prepared, exitCode, log: log.lines.join(''), end };
};

const works = async (key: string) => {
	const headers = { authorization: `Bearer ${key}` };
	return (await service.fetch('http://localhost/v1/boards', { headers })).ok;
};

describe('list-boards', () => {
	it('outputs the boards, their count and a matrix, and writes a summary', async () => {
		const { exitCode, outputs, summary } = await step({
			'board-type': 'esp32-s3',
			'include-undriven': 'true',
		});
		expect(exitCode).toBe(0);
		const { boards = '', matrix = '', ...rest } = await outputs();
		expect(rest).toEqual({ 'board-count': '3' });
		expect(JSON.parse(boards)[0]).toMatchObject({ boardType: 'esp32-s3' });
		expect(JSON.parse(matrix).include).toHaveLength(3);
		expect(await summary()).toContain('<td>esp32-s3-01</td>');
	});

	it('fails when no board matches, unless allow-empty is true', async () => {
		const rejected = await step({ 'board-type': 'none' });
		expect(rejected).toMatchObject({ exitCode: 1 });
		expect(rejected.log).toContain('::error::No board matches');
		const allowed = await step({ 'board-type': 'none', 'allow-empty': 'true' });
		expect(allowed).toMatchObject({ exitCode: 0 });
		expect(await allowed.outputs()).toMatchObject({ 'board-count': '0', boards: '[]' });
	});

	it('leaves boards that no agent drives out of the matrix, unless include-undriven is true', async () => {
		const data = [
			{ id: 'brd_1', hasAgent: true },
			{ id: 'brd_2', has_agent: false },
		];
		const fetch = async () => Response.json(data);
		const idsIn = async (inputs: Record<string, string>) => {
			const { outputs, log } = await step(inputs, { fetch });
			const { matrix = '', 'board-count': count } = await outputs();
			const ids = JSON.parse(matrix).include.map(({ id }: { id: string }) => id);
			return { ids, count, log };
		};
		const left = await idsIn({});
		expect(left).toMatchObject({ ids: ['brd_1'], count: '2' });
		expect(left.log).toContain('::warning::Left out, because no agent drives them: 1 of 2 boards');
		const all = await idsIn({ 'include-undriven': 'true' });
		expect(all).toMatchObject({ ids: ['brd_1', 'brd_2'] });
		data.shift();
		const { exitCode, log } = await step({}, { fetch });
		expect({ exitCode, log }).toMatchObject({
			exitCode: 1,
			log: expect.stringContaining('No agent'),
		});
	});

	it.each(['brd_1;reboot', '$(reboot)'])(
		'rejects an ID that a shell would interpret: %s',
		async (id) => {
			const fetch = async () => Response.json([{ id }]);
			const { exitCode, log, outputs } = await step({}, { fetch });
			expect(exitCode).toBe(1);
			expect(log).toContain('not allowed in a shell');
			expect(await outputs()).toEqual({});
		},
	);

	it('escapes markup in the name of a board in the summary', async () => {
		const fetch = async () => Response.json([{ id: 'brd_1', name: '<img src=x>' }]);
		expect(await (await step({}, { fetch })).summary()).toContain('&lt;img src=x&gt;');
	});
});

describe('create-key', () => {
	it('creates a key for the job, masks it, and revokes it at the end', async () => {
		const { exitCode, log, outputs, summary, end } = await step({
			command: 'create-key',
			label: 'job 1',
		});
		expect(exitCode).toBe(0);
		const { key = '', 'key-id': id } = await outputs();
		expect(log).toContain(`::add-mask::${key}\n`);
		expect(log.replace(`::add-mask::${key}\n`, '')).not.toContain(key);
		expect(await summary()).not.toContain(key);
		expect(await works(key)).toBe(true);
		expect(await end()).toMatchObject({ exitCode: 0, log: expect.stringContaining(id ?? '-') });
		expect(await works(key)).toBe(false);
	});

	it('lets the key of a job expire after a day, in case the job is killed', async () => {
		const { outputs, summary } = await step({ command: 'create-key' });
		const { 'key-id': id } = await outputs();
		const { fetch } = service;
		const client = new BoardAccess({ apiKey: apiKey(), baseUrl: 'http://localhost', fetch });
		const keys: ApiKey[] = await client.keys.list();
		const created = keys.find((key) => key.id === id);
		expect(created).toMatchObject({ scope: 'boards' });
		expect(await summary()).toContain(`expires at ${created?.expiresAt}`);
		const hours = (Date.parse(created?.expiresAt ?? '') - Date.now()) / 3_600_000;
		expect(hours).toBeCloseTo(24, 1);
	});

	it.each(['', 'full'])(
		'limits the key to boards and leases unless scope says more: %j',
		async (scope) => {
			const { outputs } = await step({ command: 'create-key', scope });
			const headers = { authorization: `Bearer ${(await outputs()).key}` };
			const { status } = await service.fetch('http://localhost/v1/auth/keys', { headers });
			expect(status).toBe(scope === 'full' ? 200 : 403);
		},
	);

	it('keeps the key with keep-key', async () => {
		const { outputs, end } = await step({ command: 'create-key', 'keep-key': 'true' });
		expect(await end()).toEqual({ exitCode: 0, log: '' });
		expect(await works((await outputs()).key ?? '')).toBe(true);
	});

	it('advises a free-tier account to top up', async () => {
		const { exitCode, log } = await step({
			command: 'create-key',
			'api-key': service.demo?.freeApiKey ?? '',
		});
		expect(exitCode).toBe(1);
		expect(log).toMatch(/::error::.*top up.*request id/i);
	});

	it('fails the job when the key cannot be revoked', async () => {
		const { state } = await step({ command: 'create-key' });
		const { env } = await prepareStep({ 'api-key': apiKey(), 'base-url': 'http://localhost' });
		const down = async () => new Response('', { status: 400 });
		const log = collect();
		const runner = new Runner({ ...env, ...(await state()) }, log.print);
		expect(await endJob(runner, down)).toBe(1);
		expect(log.lines.join('')).toContain('::error::');
	});
});

describe('revoke-key', () => {
	it('revokes a key', async () => {
		const { outputs } = await step({ command: 'create-key' });
		const { key = '', 'key-id': id = '' } = await outputs();
		const revoked = await step({ command: 'revoke-key', 'key-id': id });
		expect(revoked.exitCode).toBe(0);
		expect(await works(key)).toBe(false);
	});
});

describe('create-base-image', () => {
	it('creates a base image and outputs its ID', async () => {
		const { exitCode, outputs, summary } = await step({
			command: 'create-base-image',
			'board-type': 'esp32-s3',
			name: 'Blink',
			url: 'https://images.example.com/blink.bin',
			'flash-offset': '0x10000',
			position: '4',
		});
		expect(exitCode).toBe(0);
		const { 'base-image-id': id = '-' } = await outputs();
		expect(await summary()).toContain(`<td>${id}</td>`);
	});

	it('rejects an ID of a base image that a shell would interpret', async () => {
		const fetch = async () => Response.json({ id: '`reboot`' }, { status: 201 });
		const inputs = { command: 'create-base-image', 'board-type': 'x', name: 'x', url: 'https://x' };
		const { exitCode, outputs } = await step(inputs, { fetch });
		expect({ exitCode, outputs: await outputs() }).toEqual({ exitCode: 1, outputs: {} });
	});

	it('reports invalid inputs', async () => {
		const inputs = { command: 'create-base-image', 'image-action': 'write' };
		expect((await step(inputs)).log).toContain("must be 'flash' or 'erase'");
		expect((await step({ ...inputs, position: 'first' })).log).toContain('whole number');
		expect((await step({ ...inputs, enabled: 'yes' })).log).toContain('true or false');
	});
});

describe('the key', () => {
	it('is masked before anything else is printed, even if it is invalid', async () => {
		for (const key of [apiKey(), 'not a key\nof two lines']) {
			const { log } = await step({ 'api-key': key, command: 'nonsense' });
			expect(log.startsWith(`::add-mask::${key.split('\n')[0]}\n`)).toBe(true);
		}
	});

	it('is missing for a pull request from a fork, and the message says so', async () => {
		const event = join(await temporaryDirectory(), 'event.json');
		const repository = (full_name: string) => ({ repo: { full_name } });
		await writeFile(
			event,
			JSON.stringify({ pull_request: { head: repository('me/x'), base: repository('them/x') } }),
		);
		const env = { GITHUB_EVENT_NAME: 'pull_request', GITHUB_EVENT_PATH: event };
		const { exitCode, log } = await step({ 'api-key': '' }, { env });
		expect(exitCode).toBe(1);
		expect(log).toContain('from a fork');
	});

	it('is missing for Dependabot, or simply missing', async () => {
		const env = { GITHUB_ACTOR: 'dependabot[bot]' };
		expect((await step({ 'api-key': '' }, { env })).log).toContain('Dependabot');
		expect((await step({ 'api-key': '' })).log).toContain('check that the secret exists');
	});
});

describe('the address', () => {
	it('is reported with its source when it is invalid', async () => {
		const inputs = { 'base-url': 'http://localhost/v1' };
		expect((await step(inputs)).log).toContain('from the input base-url ends in /v1');
		const env = { SERVICE_BASE_URL: 'nonsense' };
		expect((await step({ 'base-url': '' }, { env })).log).toContain('from SERVICE_BASE_URL is not');
	});

	it('is asked for by the names of the inputs when it is missing', async () => {
		const env = { SERVICE_BASE_URL: '' };
		const { log } = await step({ 'base-url': '' }, { env });
		expect(log).toContain(
			'from SERVICE_BASE_URL is missing%0ASet the input base-url or the variable SERVICE_BASE_URL.\n',
		);
	});
});

describe('the log', () => {
	it('has the advice on its own line', async () => {
		const { log } = await step({ 'base-url': 'http://localhost/v1' });
		expect(log).toContain('which every request adds%0ARemove /v1.\n');
	});

	it('contains no text that the runner would read as a command', async () => {
		const lines: string[] = [];
		const runner = new Runner({}, (text) => lines.push(text));
		runner.info('::set-output name=x::y');
		runner.error('one\n::add-mask::two');
		expect(lines).toEqual([': :set-output name=x::y\n', '::error::one%0A: :add-mask::two\n']);
	});
});

describe('action.yml', () => {
	it('names every output of the commands', async () => {
		const { outputs } = await readAction();
		expect(Object.keys(outputs)).toEqual([
			...['boards', 'board-count', 'matrix', 'key', 'key-id', 'base-image-id'],
			...['result', 'board-id', 'console-file'],
		]);
	});
});
