// `board-access api`: any endpoint, with the same credentials, retries and errors.
import type { BoardAccess, Method } from 'board-access';
import { Argument, type Command } from 'commander';
import { CliError } from './failures/cli-error.ts';
import { exitCodes } from './failures/exit-codes.ts';
import { addCommand, type ServiceOptions } from './options.ts';
import { connect } from './service/connect.ts';
import { readInput, readJson } from './terminal/input.ts';
import type { Io } from './terminal/io.ts';
import { printJson } from './terminal/output.ts';
import { printable } from './terminal/style.ts';

const methods: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

interface ApiOptions extends Omit<ServiceOptions, 'json'> {
	json?: string;
	idempotencyKey?: string;
	paginate?: true;
	include?: true;
}

export function addApi(program: Command, io: Io) {
	addCommand(program, 'api', 'send a request to any endpoint and print the JSON of the response', [
		'board-access api GET "/v1/boards?limit=5"',
		'board-access api GET /v1/boards --paginate',
		`board-access api POST /v1/auth/keys --json '{"label":"ci"}'`,
	])
		.option('--json <body>', 'send this JSON, - for standard input')
		.addArgument(new Argument('<method>', methods.join(', ')).argParser(readMethod))
		.argument('<path>', 'path and query, for example /v1/boards')
		.option('--paginate', 'follow next_cursor and print all pages as one list')
		.option('--include', 'print the status and the headers before the body')
		.option('--idempotency-key <key>', 'make repeating the command safe for 24 hours')
		.action((method: Method, target: string, options: ApiOptions) =>
			send(method, target, { options, io }),
		);
}

async function send(
	method: Method,
	target: string,
	{ options, io }: { options: ApiOptions; io: Io },
) {
	const { json, idempotencyKey, paginate, include, ...shared } = options;
	if (paginate && method !== 'GET') throw new CliError('--paginate needs the method GET');
	const client = await connect(shared, io);
	const { path, query } = readTarget(target);
	const request = { method, path, query, json: await bodyOf(json, io), idempotencyKey };
	const sendOne: SendOne = async (more = {}) => {
		const sent = client.request({ ...request, query: { ...query, ...more }, signal: io.signal });
		return shown(sent, { include, path }, io);
	};
	const body = paginate ? await allPages(sendOne) : await sendOne();
	if (body !== undefined) printJson(body, io);
}

type SendOne = (more?: Readonly<Record<string, string>>) => ReturnType<BoardAccess['request']>;

/** Every page as one list. A cursor that repeats would never end. */
async function allPages(sendOne: SendOne) {
	const data: unknown[] = [];
	const seen = new Set<string>();
	let page = pageOf(await sendOne());
	for (;;) {
		data.push(...page.data);
		if (page.cursor === undefined) return { data, next_cursor: null };
		if (seen.has(page.cursor)) throw new CliError('The service sent the same cursor twice');
		seen.add(page.cursor);
		page = pageOf(await sendOne({ cursor: page.cursor }));
	}
}

function pageOf(body: unknown) {
	const page: Readonly<Record<string, unknown>> = { ...Object(body) };
	if (!Array.isArray(page.data))
		throw new CliError('--paginate needs a list of the form {"data": […]}');
	const data: readonly unknown[] = page.data;
	const cursor = page.next_cursor;
	return { data, cursor: typeof cursor === 'string' ? cursor : undefined };
}

interface View {
	include: true | undefined;
	path: string;
}

async function shown(sent: Promise<unknown>, { include, path }: View, io: Io) {
	const { isApiError, isBoardAccessError, responseOf } = await import('board-access');
	try {
		const body = await sent;
		const response = typeof body === 'object' && body !== null ? responseOf(body) : undefined;
		if (include && response) printHead(response, io);
		return body;
	} catch (error) {
		if (include && isApiError(error)) printHead(error, io);
		// Other paths belong to the web pages, which respond with HTML.
		const isOther =
			isApiError(error, 'not_found') ||
			(isBoardAccessError(error) && error.name === 'ResponseError');
		throw isOther && !path.startsWith('/v1/') ? withoutVersion(path) : error;
	}
}

function printHead({ status, headers }: { status: number; headers: Headers }, io: Io) {
	const lines = [`HTTP ${status}`, ...[...headers].map(([name, value]) => `${name}: ${value}`)];
	io.stdout.write(`${lines.map(printable).join('\n')}\n\n`);
}

function readTarget(target: string) {
	const [path = '', search = ''] = target.split(/\?(.*)/s);
	const parameters = new URLSearchParams(search);
	const names = new Set(parameters.keys());
	const query = Object.fromEntries([...names].map((name) => [name, parameters.getAll(name)]));
	return { path: path.startsWith('/') ? path : `/${path}`, query };
}

async function bodyOf(json: string | undefined, io: Io) {
	if (json === undefined) return undefined;
	return json === '-' ? readJson(await readInput(io), 'Standard input') : readJson(json, '--json');
}

function readMethod(text: string) {
	const known = methods.find((name) => name === text.toUpperCase());
	if (known) return known;
	const hint = text.startsWith('/')
		? `Write the method first: board-access api GET ${text}`
		: `Methods: ${methods.join(', ')}.`;
	throw new CliError(`Unknown method "${text}"`, { hint });
}

function withoutVersion(path: string) {
	return new CliError(`${path} is not a path of the API`, {
		code: 'not_found',
		exitCode: exitCodes.notFound,
		hint: `API paths begin with /v1. Did you mean /v1${path}?`,
	});
}
