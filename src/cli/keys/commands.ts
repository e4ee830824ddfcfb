// `board-access keys`: create, list, revoke and replace API keys.
import { type ApiKey, type ApiKeyScope, isBoardAccessError, readApiKey } from 'board-access';
import { type Command, Option } from 'commander';
import { expiryAfter } from '../../ci/duration.ts';
import { apiKeyScopes } from '../../contract/index.ts';
import { CliError } from '../failures/cli-error.ts';
import { eachOf } from '../failures/each.ts';
import { exitCodes } from '../failures/exit-codes.ts';
import {
	addCommand,
	addOfflineCommand,
	argument,
	type OutputOptions,
	type ServiceOptions,
	wholeNumber,
} from '../options.ts';
import { type Call, withClient } from '../service/connect.ts';
import { findKey, keyId } from '../service/credentials.ts';
import { confirm, readInput } from '../terminal/input.ts';
import type { Io } from '../terminal/io.ts';
import { note, printJson, printList } from '../terminal/output.ts';
import type { Column } from '../terminal/table.ts';
import { type DeliveryOptions, deliverKey } from './deliver.ts';

interface CreateOptions extends DeliveryOptions {
	label?: string;
	expiresIn?: Date;
	scope?: ApiKeyScope;
	creditLimit?: number;
	idempotencyKey?: string;
}

const columns: readonly Column<ApiKey>[] = [
	{ title: 'ID', value: (key) => key.id, whole: true },
	{ title: 'KEY', value: (key) => key.hint, whole: true },
	{ title: 'LABEL', value: (key) => key.label },
	{ title: 'SCOPE', value: (key) => key.scope },
	{ title: 'CREDIT LIMIT', value: (key) => key.creditLimit?.toString() },
	{ title: 'EXPIRES', value: (key, moment) => moment(key.expiresAt) || 'never' },
	{ title: 'CREATED', value: (key, moment) => moment(key.createdAt) },
	{ title: 'LAST USED', value: (key, moment) => moment(key.lastUsedAt) || 'never' },
	{ title: 'REVOKED', value: (key, moment) => moment(key.revokedAt) },
];

export function addKeys(program: Command, io: Io) {
	const keys = program.command('keys').description('create, list, revoke and replace API keys');
	const create = addCommand(keys, 'create', 'create a key; in a pipe, print only the key', [
		'SERVICE_API_KEY=$(board-access keys create --label ci)',
		'board-access keys create --label ci --scope boards --expires-in 90d --save-env ci.env',
	]);
	withDelivery(create).action(
		withClient(io, async (call: Call<CreateOptions>) =>
			deliverKey(call, () => call.client.keys.create(...inputOf(call))),
		),
	);
	const listExample = 'board-access keys list --include-revoked';
	addCommand(keys, 'list', 'list the keys of the account', [listExample])
		.option('--include-revoked', 'also list revoked keys')
		.action(withClient(io, list));
	const revokeExample = 'board-access keys revoke key_0123456789abcdef01234567 --yes';
	addCommand(keys, 'revoke', 'revoke keys; they stop working at once', [revokeExample])
		.argument('<ids...>', 'IDs of the keys')
		.option('--created', 'also revoke the keys that these keys created')
		.option('--yes', 'do not ask for confirmation')
		.action(withClient(io, revoke));
	const rotates = 'replace a key: create one, and revoke the old one with it';
	const replace = addCommand(keys, 'rotate', rotates, [
		'board-access keys rotate key_0123456789abcdef01234567 --save-env new.env',
		'board-access keys rotate "$(printenv SERVICE_API_KEY | board-access keys id)"',
	]);
	withDelivery(replace).argument('<id>', 'ID of the old key').action(withClient(io, rotate));
	const prints = 'print the ID of the key on standard input, without sending a request';
	const idExample = 'printenv SERVICE_API_KEY | board-access keys id';
	addOfflineCommand(keys, 'id', prints, [idExample]).action((options: OutputOptions) =>
		printId(options, io),
	);
}

function withDelivery(command: Command) {
	const expiry = 'let the key expire, for example after 2h or 90d';
	return command
		.option('--label <label>', 'what the key is for; it cannot be changed later')
		.addOption(new Option('--scope <scope>', 'what the key may do').choices(apiKeyScopes))
		.option(
			'--credit-limit <credits>',
			'with --scope boards: what its leases may cost',
			wholeNumber,
		)
		.option('--expires-in <duration>', expiry, argument(expiryAfter))
		.option('--save-env <file>', 'write the key to a new file that only you can read')
		.option('--idempotency-key <key>', 'make repeating the command safe for 24 hours');
}

function inputOf({ options, signal }: Call<CreateOptions>) {
	const { label, expiresIn: expiresAt, scope, creditLimit, idempotencyKey } = options;
	return [
		{ label, expiresAt, scope, creditLimit },
		{ idempotencyKey, signal },
	] as const;
}

async function list(call: Call<ServiceOptions & { includeRevoked?: true }>) {
	const { client, options, signal } = call;
	const { includeRevoked } = options;
	const listed = await client.keys.list({ includeRevoked }, { signal });
	printList(listed, { columns, empty: 'The account has no keys.' }, call);
}

async function revoke(
	call: Call<ServiceOptions & { created?: true; yes?: true }>,
	ids: readonly string[],
) {
	const { client, options, io, signal } = call;
	const { created, json } = options;
	await confirm('Revoking a key', call, () => describe(call, ids));
	await eachOf(ids, { call, what: 'key', done: 'revoked' }, async (id) => {
		const revoked = await client.keys.revoke(id, { created, signal });
		if (!json) note(`The key ${id} is revoked${created ? ', and the keys it created' : ''}.`, io);
		return revoked;
	});
}

/** Prints which keys they are, and returns the question. */
async function describe({ client, options, io, signal }: Call, ids: readonly string[]) {
	// Standard input can be read only once.
	const used = options.apiKeyFile === '-' ? undefined : (await findKey(options, io)).text;
	const inUse = used && keyId(used.trim());
	const keys = await client.keys.list({}, { signal });
	for (const id of ids) {
		const label = keys.find((key) => key.id === id)?.label;
		const warning = id === inUse ? ', the key that this command uses' : '';
		note(`${id}${label ? ` "${label}"` : ''}${warning}`, io);
	}
	return ids.length === 1 ? 'Revoke this key?' : `Revoke these ${ids.length} keys?`;
}

async function rotate(call: Call<CreateOptions>, id: string) {
	await deliverKey(call, async () => {
		const created = await call.client.keys.rotate(id, ...inputOf(call)).catch(asNotFound);
		if (!created.replaced) note(`The old key ${id} may still be valid. Revoke it again.`, call.io);
		return created;
	});
}

/** The error that the service responds with to `revoke`; for `rotate`, the client sends no request. */
function asNotFound(error: unknown): never {
	const isOfId =
		isBoardAccessError(error) && error.name === 'InputError' && error.issues[0]?.path === 'id';
	if (!isOfId) throw error;
	const details = { code: 'key_not_found', exitCode: exitCodes.notFound, cause: error };
	throw new CliError(`The key ${error.issues[0]?.message}`, details);
}

async function printId({ json }: OutputOptions, io: Io) {
	if (io.stdin.isTTY) note('Paste the key, then press Enter and Ctrl-D.', io);
	const id = keyId(readApiKey(await readInput(io), 'standard input'));
	if (json) printJson({ id }, io);
	else io.stdout.write(`${id}\n`);
}
