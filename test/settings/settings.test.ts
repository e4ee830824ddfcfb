import {
	BoardAccess,
	type BoardAccessOptions,
	ConfigurationError,
	type Fetch,
	type FetchInit,
	type HeadersInput,
} from 'board-access';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
	apiKey,
	baseUrl,
	createClient,
	errorOf,
	otherKey,
	useMockedService,
} from '../support/client.ts';

const service = useMockedService();

afterEach(() => {
	vi.unstubAllEnvs();
	vi.unstubAllGlobals();
});

const refusal = (options: ConstructorParameters<typeof BoardAccess>[0]) => {
	try {
		new BoardAccess(options);
	} catch (error) {
		if (error instanceof ConfigurationError) return error;
		throw error;
	}
	throw new Error('the options were accepted');
};

const sentKey = async (client: BoardAccess) => {
	let sent = '';
	service()
		.get('/v1/boards')
		.reply((request: Request) => {
			sent = String(request.headers.get('authorization'));
			return [200, []];
		});
	await client.boards.list();
	return sent;
};

describe('the API key', () => {
	it('is read from SERVICE_API_KEY, the address from SERVICE_BASE_URL', async () => {
		vi.stubEnv('SERVICE_API_KEY', apiKey);
		vi.stubEnv('SERVICE_BASE_URL', baseUrl);
		expect(await sentKey(new BoardAccess())).toBe(`Bearer ${apiKey}`);
	});

	it('is taken from the option before the environment', async () => {
		vi.stubEnv('SERVICE_API_KEY', otherKey);
		expect(await sentKey(createClient())).toBe(`Bearer ${apiKey}`);
	});

	it('may have white space around it', async () => {
		expect(await sentKey(createClient({ apiKey: `\uFEFF ${apiKey}\r\n` }))).toBe(
			`Bearer ${apiKey}`,
		);
	});

	it('may have upper-case digits', async () => {
		const upper = `key_${apiKey.slice(4).toUpperCase()}`;
		expect(await sentKey(createClient({ apiKey: upper }))).toBe(`Bearer ${upper}`);
	});

	it('is required', () => {
		vi.stubEnv('SERVICE_API_KEY', undefined);
		const error = refusal({ baseUrl });
		expect(error.code).toBe('api_key_missing');
		expect(error.message).toContain('SERVICE_API_KEY');
		expect(error.hint).toContain('page API keys');
	});

	it.each(['', '  \n'])('counts as missing when it is %j, wherever it comes from', (empty) => {
		vi.stubEnv('SERVICE_API_KEY', empty);
		expect(refusal({ baseUrl })).toMatchObject({
			code: 'api_key_missing',
			message: 'The API key from SERVICE_API_KEY is empty',
		});
		vi.stubEnv('SERVICE_API_KEY', apiKey);
		expect(refusal({ baseUrl, apiKey: empty })).toMatchObject({
			code: 'api_key_missing',
			message: 'The API key from the option apiKey is empty',
		});
	});

	it.each([
		['an inner newline', `${apiKey.slice(0, 20)}\n${apiKey.slice(20)}`, '53 characters', 21],
		['one character too many', `${apiKey}0`, '53 characters', 53],
		['another prefix', `kee_${apiKey.slice(4)}`, '52 characters', 3],
		['a character that is not hexadecimal', `${apiKey.slice(0, 30)}g${apiKey.slice(31)}`, '52', 31],
		['quotes around it', `"${apiKey}"`, '54 characters', 1],
	])('is refused with %s, by length and position only', (_, value, length, position) => {
		const error = refusal({ baseUrl, apiKey: value });
		expect(error.code).toBe('api_key_malformed');
		expect(error.message).toContain(length);
		expect(error.message).toContain(`character ${position} is not allowed there`);
		expect(error.message).not.toContain(value.slice(8, 16));
	});

	it('is refused when it is too short', () => {
		const { message } = refusal({ baseUrl, apiKey: apiKey.slice(0, -1) });
		expect(message).toMatch(/it has 51 characters, too few$/);
	});

	it('is rejected with advice when it is in quotes', () => {
		expect(refusal({ baseUrl, apiKey: `'${apiKey}'` }).hint).toBe('Remove the quotes around it.');
		expect(refusal({ baseUrl, apiKey: `${apiKey}0` }).hint).toBeUndefined();
	});

	it('is rejected with advice when it has Bearer before it', () => {
		expect(refusal({ baseUrl, apiKey: `Bearer ${apiKey}` }).hint).toBe('Remove Bearer.');
	});

	it('is rejected with advice when it is the ID of a key', () => {
		const error = refusal({ baseUrl, apiKey: apiKey.slice(0, 28) });
		expect(error.message).toContain('is the id of a key');
		expect(error.hint).toContain('only when it is created');
	});

	it('is rejected when it is not a string', () => {
		expect(refusal({ baseUrl, apiKey: 5 as never }).message).toContain('not a string');
	});

	it('is not read if the environment cannot be read', () => {
		vi.stubGlobal('process', {
			get env(): never {
				throw new Error('NotCapable');
			},
		});
		expect(refusal({ baseUrl }).code).toBe('api_key_missing');
		vi.stubGlobal('process', undefined);
		expect(refusal({ baseUrl }).code).toBe('api_key_missing');
	});
});

describe('a function for the API key', () => {
	it('is called before each attempt', async () => {
		const keys = [apiKey, otherKey];
		const sent: string[] = [];
		service()
			.get('/v1/boards')
			.twice()
			.reply((request: Request) => {
				sent.push(String(request.headers.get('authorization')));
				return sent.length === 1 ? [503, ''] : [200, []];
			});
		await createClient({ apiKey: async () => keys.shift() ?? '' }).boards.list();
		expect(sent).toEqual([`Bearer ${apiKey}`, `Bearer ${otherKey}`]);
	});

	it('must return a valid key', async () => {
		const error = await errorOf(createClient({ apiKey: () => `${apiKey}!` }).boards.list());
		expect(error).toBeInstanceOf(ConfigurationError);
		expect(error).toMatchObject({ code: 'api_key_malformed', outcome: 'not-sent' });
	});

	it('that fails is reported with its cause', async () => {
		const client = createClient({
			apiKey: () => {
				throw new Error('the vault is sealed');
			},
		});
		const error = await errorOf(client.boards.list());
		expect(error).toBeInstanceOf(ConfigurationError);
		expect(error).toMatchObject({ outcome: 'not-sent', cause: { message: 'the vault is sealed' } });
	});

	it('that never resolves ends with the timeout', async () => {
		const client = createClient({ apiKey: () => new Promise<string>(() => {}), timeout: 20 });
		expect(await errorOf(client.boards.list())).toMatchObject({ name: 'RequestTimeoutError' });
	});
});

describe('without an API key', () => {
	it('no key is sent, and the cookie of the session is', async () => {
		let sent: FetchInit | undefined;
		const fetch = async (_url: string, init: FetchInit) => {
			sent = init;
			return Response.json([]);
		};
		await createClient({ apiKey: null, fetch }).boards.list();
		expect(sent?.headers).not.toHaveProperty('authorization');
		expect(sent?.credentials).toBe('include');
	});

	it('a header of the caller is sent as it is', async () => {
		service().get('/v1/boards').matchHeader('authorization', 'Custom x').reply(200, []);
		const headers = { Authorization: 'Custom x' };
		await createClient({ apiKey: null, headers }).boards.list();
	});
});

describe('in a browser', () => {
	it('a key is rejected unless dangerouslyAllowBrowser is set', () => {
		vi.stubGlobal('window', {});
		vi.stubGlobal('document', {});
		expect(refusal({ baseUrl, apiKey }).code).toBe('browser_refused');
		expect(() => createClient({ dangerouslyAllowBrowser: true })).not.toThrow();
		expect(() => createClient({ apiKey: null })).not.toThrow();
	});

	it('cookies are not sent with a key, because the session would take precedence', async () => {
		vi.stubGlobal('importScripts', () => {});
		const seen: unknown[] = [];
		const fetch = async (_url: string, { credentials }: FetchInit) => {
			seen.push(credentials);
			return Response.json([]);
		};
		await createClient({ dangerouslyAllowBrowser: true, fetch }).boards.list();
		await createClient({ apiKey: null, fetch }).boards.list();
		expect(seen).toEqual(['omit', 'include']);
	});

	it('no header that pages must not set is sent', async () => {
		vi.stubGlobal('window', {});
		vi.stubGlobal('document', {});
		service()
			.get('/v1/boards')
			.matchHeader('user-agent', (value) => !String(value).includes('board-access'))
			.reply(200, []);
		await createClient({ apiKey: null }).boards.list();
	});
});

describe('the address', () => {
	it('is required, and the error says how to start a service', () => {
		vi.stubEnv('SERVICE_BASE_URL', undefined);
		const error = refusal({ apiKey });
		expect(error.code).toBe('base_url_missing');
		expect(error.hint).toContain('SERVICE_BASE_URL');
		expect(error.hint).toContain('board-access-service start --demo');
	});

	it.each(['', ' \n'])('counts as missing when it is %j', (value) => {
		vi.stubEnv('SERVICE_BASE_URL', value);
		expect(refusal({ apiKey }).code).toBe('base_url_missing');
		expect(refusal({ apiKey, baseUrl: value }).code).toBe('base_url_missing');
	});

	it.each([
		[`${baseUrl}/`, '/v1/boards'],
		[`${baseUrl}/lab`, '/lab/v1/boards'],
		[`${baseUrl}/lab/two//`, '/lab/two/v1/boards'],
		[` ${baseUrl}\n`, '/v1/boards'],
		[new URL(baseUrl), '/v1/boards'],
		[`${baseUrl}/v1/lab`, '/v1/lab/v1/boards'],
	])('may be written %s', async (address, path) => {
		service().get(path).reply(200, []);
		expect(await createClient({ baseUrl: address }).boards.list()).toEqual([]);
	});

	it.each([
		['boards.example.com', 'base_url_invalid'],
		['ftp://boards.example.com', 'base_url_invalid'],
		['https://user@boards.example.com', 'base_url_invalid'],
		['https://:password@boards.example.com', 'base_url_invalid'],
		['https://boards.example.com/?a=1', 'base_url_invalid'],
		['https://boards.example.com/#a', 'base_url_invalid'],
		['https://boards.example.com/lab?', 'base_url_invalid'],
		['https://boards.example.com/lab#', 'base_url_invalid'],
		['https://boards.example.com/v1', 'base_url_invalid'],
		['https://boards.example.com/lab/v1//', 'base_url_invalid'],
		['http://boards.example.com', 'insecure_http'],
		['http://localhost.example.com', 'insecure_http'],
		['http://127.0.0.1.example.com', 'insecure_http'],
	])('%s is refused', (address, code) => {
		expect(refusal({ apiKey, baseUrl: address }).code).toBe(code);
	});

	it('is reported with its source', () => {
		vi.stubEnv('SERVICE_BASE_URL', 'nonsense');
		expect(refusal({ apiKey }).message).toMatch(/from SERVICE_BASE_URL is/);
		expect(refusal({ apiKey, baseUrl: 'nonsense' }).message).toMatch(/from the option baseUrl is/);
	});

	it('is rejected with advice when it ends in /v1', () => {
		expect(refusal({ apiKey, baseUrl: `${baseUrl}/v1/` }).hint).toBe('Remove /v1.');
	});

	it('does not show a password that it contains', () => {
		const error = refusal({ apiKey, baseUrl: 'https://user:hunter2@boards.example.com' });
		expect(error.message).not.toContain('hunter2');
	});

	it.each([
		'http://localhost:8787',
		'http://127.0.0.1:8787',
		'http://127.1.2.3',
		'http://[::1]:8787',
	])('%s may be plain http, because it does not leave the machine', (address) => {
		expect(() => createClient({ baseUrl: address })).not.toThrow();
	});

	it('may end in .localhost only in a browser, because it is resolved by DNS elsewhere', () => {
		const address = 'http://api.localhost:8787';
		expect(refusal({ apiKey, baseUrl: address }).code).toBe('insecure_http');
		vi.stubGlobal('window', {});
		vi.stubGlobal('document', {});
		expect(() => createClient({ apiKey: null, baseUrl: address })).not.toThrow();
	});

	it('may be plain http to another machine with allowInsecureHttp', () => {
		const address = 'http://boards.example.com';
		expect(() => createClient({ baseUrl: address, allowInsecureHttp: true })).not.toThrow();
	});

	it('is the only one that receives the key: redirects are not followed', async () => {
		service().get('/v1/boards').reply(302, '', { location: 'https://elsewhere.example.com/x' });
		expect(await errorOf(createClient().boards.list())).toMatchObject({
			name: 'ResponseError',
			code: 'redirect_refused',
			message: expect.stringContaining('https://elsewhere.example.com/x'),
		});
	});

	it.each([
		['where a browser hides them', 'type', 'opaqueredirect'],
		['where a fetch has followed them', 'redirected', true],
	])('redirects are refused %s', async (_, name, value) => {
		const hidden = Object.defineProperty(Response.json([]), name, { value });
		const fetch = async () => hidden;
		expect(await errorOf(createClient({ fetch }).boards.list())).toMatchObject({
			code: 'redirect_refused',
		});
	});
});

it('need a runtime that has what leases need', () => {
	vi.stubGlobal(
		'Promise',
		Object.assign(class extends Promise<unknown> {}, { withResolvers: undefined }),
	);
	expect(() => createClient()).toThrow(
		expect.objectContaining({ name: 'ConfigurationError', code: 'runtime_unsupported' }),
	);
});

describe('the other options', () => {
	it('accept their smallest and largest useful values', () => {
		expect(() => createClient({ timeout: 1, maxRetries: 0 })).not.toThrow();
		expect(() => createClient({ timeout: 2 ** 31 - 1, maxRetries: 100 })).not.toThrow();
	});

	it.each([
		[{ timeout: 0 }, 'timeout'],
		[{ timeout: -1 }, 'timeout'],
		[{ timeout: Number.NaN }, 'timeout'],
		[{ timeout: 2 ** 31 }, 'timeout'],
		[{ timeout: '5' as never }, 'timeout'],
		[{ maxRetries: -1 }, 'maxRetries'],
		[{ maxRetries: 101 }, 'maxRetries'],
		[{ maxRetries: 1.5 }, 'maxRetries'],
		[{ headers: { 'a b': 'c' } }, 'headers'],
		[{ headers: { a: 5 as never } }, 'headers'],
	])('%j is refused', async (options, name) => {
		expect(refusal({ apiKey, baseUrl, ...options })).toMatchObject({
			code: 'option_invalid',
			message: expect.stringContaining(name),
		});
		expect(await errorOf(createClient().boards.list({}, options))).toMatchObject({
			name: 'InputError',
			issues: [{ path: name }],
		});
	});

	it.each([
		['baseURL', 'baseUrl'],
		['base_url', 'baseUrl'],
		['apikey', 'apiKey'],
		['maxRetrys', 'maxRetries'],
		['onattempts', 'onAttempt'],
	])('%s is refused, because %s is probably meant', (name, meant) => {
		const expected = {
			code: 'option_invalid',
			message: `${name}: is not an option (did you mean ${meant}?)`,
		};
		expect(refusal({ apiKey, baseUrl, [name]: 'x' })).toMatchObject(expected);
		expect(() => createClient().withOptions({ [name]: 'x' })).toThrow(
			expect.objectContaining(expected),
		);
	});

	it('that are not known, and like none that is, are refused', () => {
		const error = refusal({ apiKey, baseUrl, proxy: 'x' } as object);
		expect(error.message).toMatch(
			/^proxy: is not an option; the options are timeout, .*, apiKey, /,
		);
	});

	it.each([
		[{ timeOut: 5 }, 'timeOut: is not an option (did you mean timeout?)'],
		[{ maxretries: 5 }, 'maxretries: is not an option (did you mean maxRetries?)'],
		[5, 'options: must be an object of options'],
	])('of one call are refused if they are not known: %j', async (options, message) => {
		const call = createClient().boards.get('brd_1', options as object);
		expect(await errorOf(call)).toMatchObject({ name: 'InputError', message });
	});

	it('a header value that cannot be sent is not quoted', () => {
		const error = refusal({ apiKey, baseUrl, headers: { 'x-secret': 'hunter2\n' } });
		expect(error.message).toContain('x-secret');
		expect(error.message).not.toContain('hunter2');
	});

	it('headers of the client and of the request are sent; those of the request take precedence', async () => {
		service()
			.get('/v1/boards')
			.matchHeader('x-one', '1')
			.matchHeader('x-two', 'call')
			.matchHeader('accept', 'application/json')
			.matchHeader('user-agent', /^board-access\/\d/)
			.reply(200, []);
		const client = createClient({ headers: { 'X-One': '1', 'x-two': 'client' } });
		await client.boards.list({}, { headers: { 'X-Two': 'call' } });
	});

	it('a header cannot replace the key', async () => {
		service().get('/v1/boards').matchHeader('authorization', `Bearer ${apiKey}`).reply(200, []);
		await createClient({ headers: { Authorization: 'Bearer other' } }).boards.list();
	});
});

describe('a copy with other options', () => {
	it('keeps what is not changed', async () => {
		vi.stubEnv('SERVICE_API_KEY', apiKey);
		vi.stubEnv('SERVICE_BASE_URL', `${baseUrl}/lab`);
		const client = new BoardAccess({ headers: { 'x-one': '1' } });
		vi.unstubAllEnvs();
		service()
			.get('/lab/v1/boards')
			.matchHeader('authorization', `Bearer ${apiKey}`)
			.matchHeader('x-one', '1')
			.matchHeader('x-two', '2')
			.reply(200, []);
		await client.withOptions({ headers: { 'x-two': '2' } }).boards.list();
	});

	it('uses the changed options and does not change the first client', async () => {
		const client = createClient();
		expect(await sentKey(client.withOptions({ apiKey: otherKey }))).toBe(`Bearer ${otherKey}`);
		expect(await sentKey(client)).toBe(`Bearer ${apiKey}`);
	});

	it('does not allow more than the first client', () => {
		expect(() => createClient().withOptions({ baseUrl: 'http://boards.example.com' })).toThrow(
			ConfigurationError,
		);
	});

	it.each(['apiKey', 'baseUrl', 'timeout', 'headers', 'fetch', 'maxRetries'])(
		'keeps %s when it is undefined',
		async (name) => {
			vi.stubEnv('SERVICE_API_KEY', otherKey);
			vi.stubEnv('SERVICE_BASE_URL', 'https://other.example.com');
			const fetch = vi.fn<Fetch>(() => new Promise(() => {}));
			const headers = { 'x-one': '1' };
			const client = createClient({ fetch, headers, timeout: 10, maxRetries: 0 });
			const error = await errorOf(client.withOptions({ [name]: undefined }).boards.list());
			expect(error).toMatchObject({ name: 'RequestTimeoutError' });
			expect(fetch).toHaveBeenCalledExactlyOnceWith(
				`${baseUrl}/v1/boards`,
				expect.objectContaining({
					headers: expect.objectContaining({ authorization: `Bearer ${apiKey}`, 'x-one': '1' }),
				}),
			);
		},
	);

	it('of a subclass is an instance of that subclass', () => {
		class LabClient extends BoardAccess {
			get shelf() {
				return 'b2';
			}
		}
		const copy = new LabClient({ apiKey, baseUrl }).withOptions({ timeout: 5 });
		expect(copy).toBeInstanceOf(LabClient);
		expect(copy.shelf).toBe('b2');
	});
});

describe('headers', () => {
	const sentHeaders = async (options: BoardAccessOptions, own?: HeadersInput) => {
		const fetch = vi.fn<Fetch>(async () => Response.json([]));
		await createClient({ fetch, ...options }).boards.list({}, own ? { headers: own } : {});
		return fetch.mock.calls[0]?.[1].headers;
	};

	it.each([
		['an object', { 'X-One': '1' }],
		['Headers', new Headers({ 'X-One': '1' })],
		['pairs', [['X-One', '1']]],
		['a map', new Map([['X-One', '1']])],
	] satisfies [string, HeadersInput][])('may be %s', async (_, headers) => {
		expect(await sentHeaders({ headers })).toMatchObject({ 'x-one': '1' });
		expect(await sentHeaders({}, headers)).toMatchObject({ 'x-one': '1' });
		const copy = createClient().withOptions({ headers });
		expect(copy).toBeInstanceOf(BoardAccess);
	});

	it('set to null are not sent, those set to undefined stay as they are', async () => {
		const client = { 'x-one': '1', 'x-two': '2', 'user-agent': null };
		const sent = await sentHeaders({ headers: client }, { 'X-One': null, 'x-two': undefined });
		expect(sent).toMatchObject({ 'x-two': '2' });
		expect(sent).not.toHaveProperty('x-one');
		expect(sent).not.toHaveProperty('user-agent');
	});

	it('set to null in a copy are not sent by it', async () => {
		const fetch = vi.fn<Fetch>(async () => Response.json([]));
		const client = createClient({ fetch, headers: { 'x-one': '1', 'x-two': '2' } });
		await client.withOptions({ headers: { 'x-one': null } }).boards.list();
		expect(fetch.mock.calls[0]?.[1].headers).not.toHaveProperty('x-one');
		expect(fetch.mock.calls[0]?.[1].headers).toHaveProperty('x-two', '2');
	});
});
