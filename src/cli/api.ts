// `board-access api`: any endpoint, with the same credentials, retries and errors.
import { isApiError, isBoardAccessError, type Method, responseOf } from 'board-access';
import { Argument, type Command } from 'commander';
import { printable } from '../contract/printable.ts';
import { CliError } from './failures/cli-error.ts';
import { exitCodes } from './failures/exit-codes.ts';
import { addCommand, type ServiceOptions } from './options.ts';
import { connect } from './service/connect.ts';
import { readInput, readJson } from './terminal/input.ts';
import type { Io } from './terminal/io.ts';
import { printJson } from './terminal/output.ts';

const methods: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

interface ApiOptions extends Omit<ServiceOptions, 'json'> {
	json?: string;
	idempotencyKey?: string;
	paginate?: true;
	include?: true;
}

export function addApi(program: Command, io: Io) {
	const does = 'send a request to any endpoint and print the JSON of the response';
	addCommand(program, 'api', does, [
		'board-access api GET "/v1/boards?limit=5"',
		'board-access api GET /v1/boards --paginate',
		`board-access api POST /v1/auth/keys --json '{"label":"ci"}'`,
	])
		.addArgument(new Argument('<method>', methods.join(', ')).argParser(readMethod))
		.argument('<path>', 'path and query, for example /v1/boards')
		.option('--json <body>', 'send this JSON, - for standard input')
		.option('--paginate', 'follow next_cursor and print all pages as one list')
		.option('--include', 'print the status and the headers before the body')
		.option('--idempotency-key <key>', 'make repeating the command safe for 24 hours')
		.action(async (method: Method, target: string, options: ApiOptions) => {
			const { json, idempotencyKey, paginate, include, ...shared } = options;
			if (paginate && method !== 'GET') throw new CliError('--paginate needs the method GET');
			const client = await connect(shared, io);
			const { path, query } = readTarget(target);
			const request = { method, path, json: await bodyOf(json, io), idempotencyKey };
			const send = (more = {}) => {
				const sent = { ...request, query: { ...query, ...more }, signal: io.signal };
				return responseTo(client.request(sent), { include, path }, io);
			};
			const body = paginate ? await allPages(send) : await send();
			if (body !== undefined) printJson(body, io);
		});
}

async function allPages(send: (cursor: object) => Promise<unknown>) {
	const data: unknown[] = [];
	const seen = new Set<string>(); // a repeated cursor would never end
	for (let next = {}; ; ) {
		const page: Readonly<Record<string, unknown>> = { ...Object(await send(next)) };
		if (!Array.isArray(page.data))
			throw new CliError('--paginate needs a list of the form {"data": […]}');
		data.push(...page.data);
		const cursor = page.next_cursor;
		if (typeof cursor !== 'string') return { data, next_cursor: null };
		if (seen.has(cursor)) throw new CliError('The service sent the same cursor twice');
		seen.add(cursor);
		next = { cursor };
	}
}

async function responseTo(
	sent: Promise<unknown>,
	{ include, path }: { include: true | undefined; path: string },
	io: Io,
) {
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
		if (!isOther || path.startsWith('/v1/')) throw error;
		const hint = `API paths begin with /v1. Did you mean /v1${path}?`;
		const details = { code: 'not_found', exitCode: exitCodes.notFound, hint };
		throw new CliError(`${path} is not a path of the API`, details);
	}
}

function printHead({ status, headers }: { status: number; headers: Headers }, io: Io) {
	const lines = [`HTTP ${status}`, ...[...headers].map(([name, value]) => `${name}: ${value}`)];
	io.stdout.write(`${lines.map(printable).join('\n')}\n\n`);
}

function readTarget(target: string) {
	const [path = '', search = ''] = target.split(/\?(.*)/s);
	const parameters = new URLSearchParams(search);
	const names = [...new Set(parameters.keys())];
	const query = Object.fromEntries(names.map((name) => [name, parameters.getAll(name)]));
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
