// What the client guarantees, checked with nothing but what every runtime has. The address of the server
// contains the name of the scenario.
import type * as BoardAccessModule from 'board-access';

type Library = typeof BoardAccessModule;

export interface Surroundings {
	library: Library;
	/** The CommonJS build, where the runtime has such modules. */
	commonJs?: Library;
	/** The address of the server. */
	origin: string;
	/** Whether the runtime is a browser, where keys are rejected by default. */
	browser?: boolean;
}

export interface Result {
	title: string;
	outcome: 'passed' | 'failed' | 'does not apply';
	detail?: string;
}

const apiKey = `key_${'0123456789abcdef'.repeat(3)}`;

let last = 0;

export async function runChecks(surroundings: Surroundings): Promise<Result[]> {
	const unhandled = countUnhandled();
	await abortFetch(surroundings.origin);
	const leftByRuntime = unhandled.splice(0);
	const results: Result[] = [];
	for (const [title, check] of Object.entries(checksOf(surroundings))) {
		results.push(await attempt(title, check));
	}
	await new Promise((resolve) => setTimeout(resolve, 200));
	const nothing = () => equal(unhandled.map(String), []);
	const check = leftByRuntime.length > 0 ? undefined : nothing;
	results.push(await attempt('leaves no unhandled rejection', check));
	return results;
}

/** Without the client: some runtimes leave an unhandled rejection when a body is aborted while it is read. */
async function abortFetch(origin: string) {
	const controller = new AbortController();
	const { body } = await fetch(`${origin}/stalled/0/v1/boards`, { signal: controller.signal });
	const reader = body?.getReader();
	await reader?.read();
	const rest = reader?.read().catch(() => {});
	controller.abort(new Error('aborted'));
	await rest;
	await new Promise((resolve) => setTimeout(resolve, 100));
}

function assert(condition: unknown, message: string) {
	if (!condition) throw new Error(message);
}

function equal(actual: unknown, expected: unknown) {
	const [one, other] = [JSON.stringify(actual), JSON.stringify(expected)];
	assert(one === other, `${one} is not ${other}`);
}

async function errorOf(work: () => unknown): Promise<Error & Record<string, unknown>> {
	try {
		await work();
	} catch (error) {
		// Every check that looks at it looks at what an error of the client has.
		return error as Error & Record<string, unknown>;
	}
	throw new Error('it did not fail');
}

function checksOf({ library, commonJs, origin, browser = false }: Surroundings) {
	const { BoardAccess, isApiError, isBoardAccessError, responseOf } = library;
	const allowed = { apiKey, dangerouslyAllowBrowser: true };
	/** A client for a scenario, which starts anew for each client. */
	const clientOf = (scenario: string, options: object = {}) =>
		new BoardAccess({ ...allowed, baseUrl: `${origin}/${scenario}/${++last}`, ...options });

	return {
		'rejects a missing address': async () => {
			const error = await errorOf(() => new BoardAccess({ ...allowed, baseUrl: '' }));
			equal([error.name, error.code], ['ConfigurationError', 'base_url_missing']);
		},
		'rejects a malformed key and does not show it': async () => {
			const error = await errorOf(() => clientOf('boards', { apiKey: `${apiKey}zz` }));
			equal(error.name, 'ConfigurationError');
			assert(!`${error.message}${error.stack}`.includes(apiKey), 'the key is shown');
		},
		'trims a key': async () => {
			const [board] = await clientOf('echo', { apiKey: ` ${apiKey}\n` }).boards.list();
			equal(board?.name, `Bearer ${apiKey}`);
		},
		'rejects plain http to other machines': async () => {
			const error = await errorOf(
				() => new BoardAccess({ ...allowed, baseUrl: 'http://boards.example.com' }),
			);
			equal(error.code, 'insecure_http');
		},
		'never prints the key': () => {
			const client = clientOf('boards');
			assert(
				!JSON.stringify([client, Object.entries(client)]).includes(apiKey),
				'the key is shown',
			);
		},
		'rejects a key in a browser': browser
			? async () => {
					const error = await errorOf(() => new BoardAccess({ apiKey, baseUrl: origin }));
					equal(error.code, 'browser_refused');
				}
			: undefined,
		'lists all pages': async () => {
			const boards = await clientOf('pages').boards.list();
			equal(
				boards.map(({ id }) => id),
				['brd_1', 'brd_2', 'brd_3'],
			);
		},
		'streams a list': async () => {
			const ids = [];
			for await (const { id } of clientOf('pages').boards.list()) ids.push(id);
			equal(ids.length, 3);
		},
		'requests no more pages than needed': async () => {
			equal((await clientOf('one-page-only').boards.list().first(1)).length, 1);
		},
		'detects a list that does not end': async () => {
			const error = await errorOf(() => clientOf('same-cursor').boards.list());
			equal(error.code, 'cursor_repeated');
		},
		'sends the key': async () => {
			const [board] = await clientOf('echo').boards.list();
			equal(board?.name, `Bearer ${apiKey}`);
		},
		'sends no key with a session': async () => {
			const [board] = await clientOf('echo', { apiKey: null }).boards.list();
			equal(board?.name, 'none');
		},
		'sends a query': async () => {
			const [board] = await clientOf('echo').boards.list({ boardType: 'a b&c', pageSize: 5 });
			equal(board?.description, 'board_type=a+b%26c&limit=5');
		},
		'returns fields in camelCase and keeps unknown ones': async () => {
			const [board] = await clientOf('boards').boards.list();
			equal(Object.keys(board ?? {}), ['id', 'boardType', 'somethingNew']);
		},
		'returns the status and request ID of a response': async () => {
			const boards = await clientOf('boards').boards.list();
			equal([responseOf(boards)?.status, responseOf(boards)?.requestId], [200, 'req_1']);
		},
		'prints a list so that it says how to read it': async () => {
			const boards = clientOf('boards').boards.list();
			const inspect = Reflect.get(boards, Symbol.for('nodejs.util.inspect.custom'));
			const text = 'Listing { await it for an array, or loop over it with for await }';
			equal([String(boards), inspect.call(boards)], [text, text]);
			await boards;
		},
		'creates a key and does not print it': async () => {
			const created = await clientOf('create-key').keys.create({ label: 'ci' });
			equal([created.key, created.label], [apiKey, 'ci']);
			const inspect = Reflect.get(created, Symbol.for('nodejs.util.inspect.custom'));
			assert(!JSON.stringify(inspect()).includes(apiKey), 'the key is shown');
		},
		'revokes a key': async () => {
			equal(await clientOf('no-content').keys.revoke('key_1'), { id: 'key_1' });
		},
		'creates a base image': async () => {
			const input = {
				action: 'erase',
				boardType: 'esp32',
				name: 'Wipe',
				flashOffset: '0x0',
			} as const;
			const image = await clientOf('create-image').admin.baseImages.create(input);
			equal([image.id, image.boardType, image.flashOffset], ['img_1', 'esp32', '0x0']);
		},
		'rejects invalid input before it sends anything': async () => {
			const client = clientOf('boards');
			const errors = [
				await errorOf(() => client.keys.revoke('../boards')),
				await errorOf(() => client.keys.create({}, { idempotencyKey: '\n' })),
				await errorOf(() => client.request({ method: 'GET', path: 'boards' })),
			];
			equal(
				errors.map(({ name }) => name),
				['InputError', 'InputError', 'InputError'],
			);
		},
		'waits as long as Retry-After says, then retries': async () => {
			const startedAt = performance.now();
			equal((await clientOf('busy-once').boards.list()).length, 1);
			const took = performance.now() - startedAt;
			assert(took > 900 && took < 5000, `it took ${took} ms`);
		},
		'does not retry a creation that may have succeeded': async () => {
			const error = await errorOf(() => clientOf('fault-once').keys.create());
			equal([error.status, error.outcome], [500, 'unknown']);
		},
		'retries a creation with an idempotency key': async () => {
			const client = clientOf('fault-once');
			equal((await client.keys.create({}, { idempotencyKey: 'one' })).key, apiKey);
		},
		'does not start a wait beyond its timeout': async () => {
			const error = await errorOf(() => clientOf('busy-for-an-hour').boards.list());
			equal([error.status, error.retryAt instanceof Date], [429, true]);
		},
		'ends a request whose response body stalls': async () => {
			const error = await errorOf(() => clientOf('stalled', { timeout: 300 }).boards.list());
			equal(error.name, 'RequestTimeoutError');
		},
		"rejects with the caller's abort reason": async () => {
			const controller = new AbortController();
			const reason = new Error('enough');
			setTimeout(() => controller.abort(reason), 50);
			const options = { signal: controller.signal };
			assert(
				(await errorOf(() => clientOf('stalled').boards.list({}, options))) === reason,
				'it is another error',
			);
		},
		'ends a wait when the caller aborts': async () => {
			const signal = AbortSignal.timeout(100);
			const startedAt = performance.now();
			await errorOf(() => clientOf('busy-once').boards.list({}, { signal }));
			assert(performance.now() - startedAt < 700, 'it waited on');
		},
		'rejects a redirect': async () => {
			const error = await errorOf(() => clientOf('redirect').boards.list());
			equal([error.name, error.code], ['ResponseError', 'redirect_refused']);
		},
		'reports why the service rejected a request': async () => {
			const error = await errorOf(() => clientOf('rejected').keys.create());
			equal(
				[error.name, error.status, error.code, error.requestId],
				['ApiError', 402, 'paid_tier_required', 'req_1'],
			);
			assert(isApiError(error, 'paid_tier_required'), 'the guard says no');
		},
		'does not use a web page as an error message': async () => {
			const error = await errorOf(() => clientOf('web-page', { maxRetries: 0 }).boards.list());
			equal([error.status, error.message], [502, 'The service responded with status 502']);
		},
		'reports a rejected connection': async () => {
			const nobody = clientOf('', { baseUrl: 'http://127.0.0.1:1', maxRetries: 0 });
			const error = await errorOf(() => nobody.boards.list());
			equal(error.name, 'ConnectionError');
		},
		'reports that nothing was sent':
			// Browsers and workerd do not say why a request failed.
			browser || !('process' in globalThis)
				? undefined
				: async () => {
						const nobody = clientOf('', { baseUrl: 'http://127.0.0.1:2', maxRetries: 0 });
						equal((await errorOf(() => nobody.boards.list())).outcome, 'not-sent');
					},
		'recognizes errors of its other build': commonJs
			? async () => {
					const options = { ...allowed, baseUrl: `${origin}/rejected/${++last}` };
					const error = await errorOf(() => new commonJs.BoardAccess(options).keys.create());
					assert(!(error instanceof library.ApiError), 'it is the same build');
					assert(isApiError(error) && isBoardAccessError(error), 'the guards say no');
				}
			: undefined,
	};
}

/** Counts unhandled rejections, however the runtime reports them. */
function countUnhandled() {
	const unhandled: unknown[] = [];
	globalThis.addEventListener?.('unhandledrejection', (event) => {
		event.preventDefault();
		unhandled.push(Reflect.get(event, 'reason'));
	});
	globalThis.process?.on?.('unhandledRejection', (reason) => unhandled.push(reason));
	return unhandled;
}

async function attempt(title: string, check: (() => unknown) | undefined): Promise<Result> {
	if (!check) return { title, outcome: 'does not apply' };
	try {
		await check();
		return { title, outcome: 'passed' };
	} catch (error) {
		return { title, outcome: 'failed', detail: String(error) };
	}
}
