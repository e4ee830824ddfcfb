// Whatever /mcp receives, it responds with a clear error, and never with one of its own.
import { sampleFirmware } from 'board-access-agent/samples';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CodingAgent } from '../../../test/support/coding-agent.ts';
import { type Backend, backends } from '../support/backends.ts';
import { base64, callOf, connect, message, openBoards, post, withKey } from './support/agents.ts';

/** What every request of 2026-07-28 says of its sender. */
const modern = {
	_meta: {
		'io.modelcontextprotocol/protocolVersion': '2026-07-28',
		'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
		'io.modelcontextprotocol/clientCapabilities': {},
	},
};

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
const objects = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
const withArguments = (text: string) =>
	JSON.stringify(callOf('list_boards', { type: '?' })).replace('{"type":"?"}', () => text);

describe.each(backends)('$name', (opening) => {
	const lines: Record<string, unknown>[] = [];
	let backend: Backend;
	beforeAll(async () => {
		const write = (line: string) => void lines.push(JSON.parse(line));
		backend = await opening.open({ log: { write }, logLevel: 'info' });
	});
	afterAll(async () => {
		expect(lines.length).toBeGreaterThan(0);
		expect(lines.filter(({ level }) => level === 'error')).toEqual([]);
		await backend.close();
	});

	const send = async (body: unknown, headers: Record<string, string> = {}, method = 'POST') => {
		const own = withKey(backend.apiKey);
		const found = await post(backend, body, { method, headers: { ...own, ...headers } });
		expect(found.status).toBeLessThan(500);
		return found;
	};
	const errorOf = async (...given: Parameters<typeof send>) => {
		const { status, body } = await send(...given);
		return { status, code: body?.error?.code, words: body?.error?.message };
	};

	test.each([
		['no JSON', 'hello', -32700],
		['nothing', '', -32700],
		['a number', '5', -32600],
		['null', 'null', -32600],
		['no message', '{}', -32600],
		['no requests', '[]', -32600],
		['requests in requests', [[message('tools/list')]], -32600],
		['more requests than may be sent together', Array(101).fill(message('ping')), -32600],
		['brackets without end', '['.repeat(2e5), -32700],
		['nothing but brackets', nested(1e5), -32600],
		['requests together, which 2026-07-28 does not have', [message('tools/list', modern)], -32600],
		['a null byte', '\0', -32700],
	])('%s is refused', async (_what, body, code) => {
		expect(await errorOf(body)).toEqual({
			status: 400,
			code,
			words: expect.stringMatching(/\w{4}/),
		});
	});

	test('a deep value is an error of its call', async () => {
		for (const text of [`{"type":${nested(1e5)}}`, `{"x":${objects(3e4)}}`]) {
			const { status, body } = await send(withArguments(text));
			expect({ status, isError: body.result.isError }).toEqual({ status: 200, isError: true });
		}
	});

	test('what is not sent as JSON, or cannot be answered, is refused', async () => {
		const list = message('tools/list');
		for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
			expect(await errorOf(list, { 'content-type': type })).toMatchObject({ status: 415 });
		}
		expect(await errorOf(list, { accept: 'text/html' })).toMatchObject({ status: 406 });
		const old = { 'mcp-protocol-version': '1999-01-01' };
		expect(await errorOf(list, old)).toMatchObject({ status: 400, code: -32000 });
	});

	test.each(['GET', 'HEAD', 'DELETE', 'PUT', 'PATCH', 'OPTIONS'])(
		'%s is no way to use it',
		async (method) => {
			const { status, headers } = await send(undefined, {}, method);
			expect({ status, allow: headers.get('allow') }).toEqual({ status: 405, allow: 'POST' });
		},
	);

	test('unknown methods and tools are named', async () => {
		for (const method of ['tools/destroy', '__proto__', 'constructor', 'logging/setLevel']) {
			expect(await errorOf(message(method))).toMatchObject({
				status: 200,
				code: -32601,
				words: 'Method not found',
			});
		}
		for (const name of ['nothing', '__proto__', 'constructor', 'environment', 'debug']) {
			expect(await errorOf(callOf(name))).toEqual({
				status: 200,
				code: -32602,
				words: expect.stringContaining(`Tool ${name}`),
			});
		}
		const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/destroy' };
		expect(await errorOf(message('tools/destroy', modern), headers)).toMatchObject({
			status: 404,
			code: -32601,
		});
	});

	test('a header that names another tool than the request is refused', async () => {
		const call = message('tools/call', { ...modern, name: 'release', arguments: {} });
		const version = { 'mcp-protocol-version': '2026-07-28' };
		const headers = { ...version, 'mcp-method': 'tools/call', 'mcp-name': 'list_boards' };
		expect(await errorOf(call, headers)).toMatchObject({ status: 400, code: -32020 });
	});

	test('nobody can wait for changes of the tools, which do not change', async () => {
		const wanted = { toolsListChanged: true, resourcesListChanged: true };
		const listen = message('subscriptions/listen', { ...modern, notifications: wanted });
		const version = { 'mcp-protocol-version': '2026-07-28' };
		const { status, body } = await send(listen, {
			...version,
			'mcp-method': 'subscriptions/listen',
		});
		expect({ status, result: body.result.resultType }).toEqual({ status: 200, result: 'complete' });
	});

	test('resources outside of the consoles are not found', async () => {
		for (const uri of [
			'file:///etc/passwd',
			'board-access://leases//console',
			'board-access://leases/../console',
			'board-access://leases/a/b/console',
		]) {
			expect(await errorOf(message('resources/read', { uri }))).toEqual({
				status: 200,
				code: -32602,
				words: `Resource not found: ${uri}`,
			});
		}
		const uri = 'board-access://leases/..%2F..%2Fv1%2Faccount/console';
		const words = 'There is no such lease.';
		expect(await errorOf(message('resources/read', { uri }))).toMatchObject({ status: 200, words });
	});

	test('the same number for two requests loses neither of them', async () => {
		const { status, text } = await send([callOf('leases', {}, 7), callOf('leases', {}, 7)]);
		expect(status).toBe(200);
		expect(text).toContain('"leases":[]');
	});
});

describe.each(backends)('the arguments of tools $name', (opening) => {
	const open = async () => {
		const lines: { level: string; method?: string; route?: string }[] = [];
		const write = (line: string) => void lines.push(JSON.parse(line));
		const bench = await openBoards(opening, { log: { write }, logLevel: 'info' });
		const agent = await connect(bench, bench.apiKey);
		const lease_id = await agent.lease('uno');
		return {
			agent,
			lease_id,
			internal: () => lines.filter(({ level }) => level === 'error'),
			/** Which requests the tools have sent since then. */
			since(at = 0) {
				const sent = lines.slice(at).map(({ method, route }) => `${method} ${route}`);
				return [...new Set(sent)].filter((request) => /\/v1\/(?!agent\/)/.test(request)).toSorted();
			},
			now: () => lines.length,
		};
	};
	/** The words of calls with each of the values in turn. */
	const wordsOf = async (agent: CodingAgent, name: string, all: readonly object[]) => {
		const words = [];
		for (const given of all) words.push(await agent.fail(name, { ...given }));
		return words;
	};

	test('wrong types, unknown names and values beyond the limits are said', async () => {
		const { agent, lease_id, internal } = await open();
		const all: [string, object, string][] = [
			['list_boards', { type: 5 }, 'type: Invalid input: expected string'],
			['list_boards', { kind: 'uno' }, 'Unrecognized key: "kind"'],
			['leases', { all: true }, 'Unrecognized key: "all"'],
			['lease_board', {}, 'boards: Invalid input'],
			['lease_board', { boards: 'uno' }, 'boards: Invalid input: expected array'],
			['lease_board', { boards: [] }, 'boards needs a type'],
			[
				'lease_board',
				{ boards: Array(11).fill('uno') },
				'Write each of several boards as role=type',
			],
			['lease_board', { boards: ['uno'], minutes: 0.5 }, 'minutes: Invalid input'],
			['lease_board', { boards: ['uno'], wait_seconds: 121 }, 'wait_seconds: Too big'],
			[
				'lease_board',
				{ boards: ['uno'], label: 'a\0' },
				'label must not contain control characters',
			],
			['console_read', { lease_id, cursor: -1 }, 'cursor: Too small'],
			['console_read', { lease_id, max_bytes: 1e9 }, 'max_bytes: Too big'],
			['console_read', { lease_id, timeout_ms: 'soon' }, 'timeout_ms: Invalid input'],
			['console_read', { lease_id, log: '/etc/passwd' }, 'Unrecognized key: "log"'],
			['console_write', { lease_id, text: '\\xZZ' }, '\\x is not an escape'],
			['run_firmware', { lease_id, scenario: 'a.yml' }, 'Unrecognized key: "scenario"'],
			['run_firmware', { lease_id, timeout_seconds: 121 }, 'timeout_seconds: Too big'],
			['run_firmware', { lease_id, fail: Array(101).fill('x') }, 'fail: Too big'],
			['run_firmware', {}, 'Pass either lease_id or boards'],
			['run_firmware', { lease_id, boards: ['uno'] }, 'Pass either lease_id or boards'],
		];
		for (const [name, given, words] of all) {
			expect(await agent.fail(name, { ...given })).toContain(words);
		}
		expect(internal()).toEqual([]);
	});

	test('boards that cannot be are refused', async () => {
		const { agent, internal } = await open();
		const boards = [
			'',
			'=',
			'uno:',
			'nothing',
			'brd_none',
			'A B=uno',
			'../account',
			'uno\0',
			'\ud800',
		];
		for (const board of boards) {
			const words = await agent.fail('lease_board', { boards: [board] });
			expect(words).toMatch(/\w+ \w+/);
			expect(words).not.toContain('\0');
		}
		expect(internal()).toEqual([]);
	});

	test('regular expressions are not taken, because they could keep everybody waiting', async () => {
		const { agent, lease_id } = await open();
		const given = { lease_id, firmware: base64(await sampleFirmware('arduino-uno')) };
		const words = [
			...(await wordsOf(agent, 'console_read', [{ lease_id, until: '/(a+)+$/' }])),
			...(await wordsOf(agent, 'reset_and_capture', [{ lease_id, until: '/a/i' }])),
			...(await wordsOf(agent, 'run_firmware', [
				{ ...given, expect: ['Hello', '/Hello.*/'] },
				{ ...given, fail: ['/^\n$/s'] },
			])),
		];
		expect(new Set(words)).toEqual(
			new Set(['Pass a text of at most 64 characters; "board-access mcp" takes others']),
		);
		// What only looks like one is text.
		const path = { lease_id, until: '/dev/ttyUSB0', timeout_ms: 50 };
		expect(await agent.use('console_read', path)).toMatchObject({ completion_reason: 'timeout' });
	});

	test('firmware that is no base64, or no firmware, is refused', async () => {
		const { agent, lease_id } = await open();
		const flash = (firmware: string) => agent.fail('flash', { lease_id, firmware });
		for (const firmware of ['', '!!', 'build/app.hex', 'AAAA\nAAAA', '../../etc/passwd', '\0']) {
			expect(await flash(firmware)).toContain('must be a file in base64');
		}
		for (const firmware of ['a', '====']) expect(await flash(firmware)).toContain('is empty');
		expect(await flash('AAAA')).toContain('neither Intel HEX, UF2 nor ELF');
		const run = { boards: ['uno,build/app.hex'], expect: ['x'] };
		expect(await agent.fail('run_firmware', run)).toContain('must be a file in base64');
		expect(await agent.use('leases')).toMatchObject({ leases: [{ lease_id }] });
	});

	test('the ID of a lease is no path to anything else', async () => {
		const { agent, lease_id, internal, since, now } = await open();
		const before = now();
		const ids = [
			...['..', '.', '', '../account', `${lease_id}/../../account`, `../../v1/leases/${lease_id}`],
			...['%2e%2e', '..%2faccount', `${lease_id}?x=1`, `${lease_id}#x`, `${lease_id}/renew`],
			...['lse_\0', 'lse_\r\nx: y', '💥', '\ud800', 'x'.repeat(1e5), ` ${lease_id}`],
		];
		const tools = {
			release: {},
			console_read: {},
			console_write: { text: 'x' },
			reset_and_capture: {},
			flash: { firmware: 'AAAA' },
			run_firmware: { expect: ['x'] },
		};
		for (const [name, given] of Object.entries(tools)) {
			for (const id of ids) {
				const words = await agent.fail(name, { ...given, lease_id: id });
				expect(words).toMatch(/There is no such lease|id: must/);
			}
		}
		expect(since(before)).toEqual(['GET /v1/account', 'GET /v1/leases/:id']);
		expect(internal()).toEqual([]);
		expect(await agent.use('leases')).toMatchObject({ leases: [{ lease_id, status: 'active' }] });
	});
});
