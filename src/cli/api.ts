// `board-access api`: any endpoint, with the same credentials, retries and errors.
import type { Method } from 'board-access';
import { Argument, type Command, InvalidArgumentError } from 'commander';
import { addServiceCommand, examples, type ServiceOptions } from './options.ts';
import { connect } from './service/connect.ts';
import { readInput, readJson } from './terminal/input.ts';
import type { Io } from './terminal/io.ts';
import { printJson } from './terminal/output.ts';

const methods: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

interface ApiOptions extends Omit<ServiceOptions, 'json'> {
	json?: string;
	idempotencyKey?: string;
}

export function addApi(program: Command, io: Io) {
	return addServiceCommand(program, 'api', [
		'--json <body>',
		'send this JSON, - for standard input',
	])
		.description('call any endpoint; prints the JSON of the answer as it came')
		.addArgument(method())
		.argument('<path>', 'the path and query below the address of the service')
		.option('--idempotency-key <key>', 'makes repeating this command safe for 24 hours')
		.addHelpText(
			'after',
			examples(
				'board-access api GET "/v1/boards?limit=5"',
				`board-access api POST /v1/auth/keys --json '{"label":"ci"}'`,
			),
		)
		.action(call(io));
}

async function bodyOf(json: string | undefined, io: Io) {
	if (json === undefined) return undefined;
	return json === '-' ? readJson(await readInput(io), 'Standard input') : readJson(json, '--json');
}

function call(io: Io) {
	return async (
		method: Method,
		target: string,
		{ json, idempotencyKey, ...options }: ApiOptions,
	) => {
		const client = await connect(options, io);
		const [path = '', query = ''] = target.split(/\?(.*)/s);
		const answer = await client.request({
			method,
			path,
			query: Object.fromEntries(new URLSearchParams(query)),
			json: await bodyOf(json, io),
			idempotencyKey,
			signal: io.signal,
		});
		if (answer !== undefined) printJson(answer, io);
	};
}

function method() {
	return new Argument('<method>', methods.join(', ')).argParser((text: string) => {
		const known = methods.find((name) => name === text.toUpperCase());
		if (known) return known;
		throw new InvalidArgumentError(`It must be one of ${methods.join(', ')}.`);
	});
}
