// `board-access keys`: create, list, revoke and replace API keys.
import type { ApiKey } from 'board-access';
import { type Command, Option } from 'commander';
import { expiryAfter } from '../../ci/key-expiry.ts';
import { apiKeyScopes } from '../../contract/index.ts';
import {
	addCommand,
	addServiceCommand,
	argument,
	examples,
	type OutputOptions,
	type ServiceOptions,
} from '../options.ts';
import { connect } from '../service/connect.ts';
import { readInput } from '../terminal/input.ts';
import type { Io } from '../terminal/io.ts';
import { note, printJson, printList } from '../terminal/output.ts';
import type { Column } from '../terminal/table.ts';
import { type DeliveryOptions, deliverKey } from './deliver.ts';
import { keyId } from './id.ts';
import { type RevokeOptions, revokeKeys } from './revoke.ts';

interface CreateOptions extends DeliveryOptions {
	label?: string;
	expiresIn?: Date;
	scope?: string;
	idempotencyKey?: string;
}

interface ListOptions extends ServiceOptions {
	includeRevoked?: true;
}

const columns: readonly Column<ApiKey>[] = [
	{ title: 'ID', value: (key) => key.id, whole: true },
	{ title: 'KEY', value: (key) => key.hint, whole: true },
	{ title: 'LABEL', value: (key) => key.label },
	{ title: 'SCOPE', value: ({ scope }) => (scope === 'full' ? '' : scope) },
	{ title: 'CREATED', value: (key, moment) => moment(key.createdAt) },
	{ title: 'LAST USED', value: (key, moment) => moment(key.lastUsedAt) || 'never' },
	{ title: 'EXPIRES', value: (key, moment) => moment(key.expiresAt) },
	{ title: 'REVOKED', value: (key, moment) => moment(key.revokedAt) },
];

export function addKeys(program: Command, io: Io) {
	const keys = program.command('keys').description('create, list, revoke and replace API keys');
	withDelivery(addServiceCommand(keys, 'create'))
		.description('create a key; in a pipe, print only the key')
		.addHelpText(
			'after',
			examples(
				'SERVICE_API_KEY=$(board-access keys create --label ci)',
				'board-access keys create --label ci --scope boards --expires-in 90d --save-env ci.env',
			),
		)
		.action((options: CreateOptions) => create(options, io));
	addServiceCommand(keys, 'list')
		.description('list the keys of the account')
		.option('--include-revoked', 'also list revoked keys')
		.addHelpText('after', examples('board-access keys list --include-revoked'))
		.action((options: ListOptions) => list(options, io));
	addRevoke(keys, io);
	addRotate(keys, io);
	addId(keys, io);
}

async function create(options: CreateOptions, io: Io) {
	const client = await connect(options, io);
	const request = () => client.keys.create(keyInput(options), createOptions(options, io));
	await deliverKey({ client, create: request }, options, io);
}

async function list(options: ListOptions, io: Io) {
	const client = await connect(options, io);
	const { includeRevoked } = options;
	const keys = await client.keys.list({ includeRevoked }, { signal: io.signal });
	printList(keys, { columns, empty: 'The account has no keys.' }, { options, io });
}

async function rotate(id: string, options: CreateOptions, io: Io) {
	const client = await connect(options, io);
	const request = async () => {
		const created = await client.keys.rotate(id, keyInput(options), createOptions(options, io));
		if (!created.replaced) note(`The old key ${id} may still be valid. Revoke it again.`, io);
		return created;
	};
	await deliverKey({ client, create: request }, options, io);
}

function keyInput({ label, expiresIn, scope }: CreateOptions) {
	return { label, expiresAt: expiresIn, scope };
}

function createOptions({ idempotencyKey }: CreateOptions, { signal }: Io) {
	return { idempotencyKey, signal };
}

async function printId(options: OutputOptions, io: Io) {
	if (io.stdin.isTTY) note('Paste the key, then press Enter and Ctrl-D.', io);
	const { readApiKey } = await import('board-access');
	const id = await keyId(readApiKey(await readInput(io), 'standard input'));
	if (options.json) return printJson({ id }, io);
	io.stdout.write(`${id}\n`);
}

function withDelivery(command: Command) {
	const expiry = 'let the key expire, for example after 2h or 90d';
	return command
		.option('--label <label>', 'what the key is for; it cannot be changed later')
		.addOption(new Option('--scope <scope>', 'what the key may do').choices(apiKeyScopes))
		.option('--expires-in <duration>', expiry, argument(expiryAfter))
		.option('--save-env <file>', 'write the key to a new file that only you can read')
		.option('--idempotency-key <key>', 'make repeating the command safe for 24 hours');
}

function addRotate(keys: Command, io: Io) {
	return withDelivery(addServiceCommand(keys, 'rotate'))
		.description('replace a key: create one, check that it works, revoke the old one')
		.argument('<id>', 'ID of the old key')
		.addHelpText(
			'after',
			examples(
				'board-access keys rotate key_0123456789abcdef01234567 --save-env new.env',
				'board-access keys rotate "$(printenv SERVICE_API_KEY | board-access keys id)"',
			),
		)
		.action((id: string, options: CreateOptions) => rotate(id, options, io));
}

function addRevoke(keys: Command, io: Io) {
	return addServiceCommand(keys, 'revoke')
		.description('revoke keys; they stop working at once')
		.argument('<ids...>', 'IDs of the keys')
		.option('--created', 'also revoke the keys that these keys created')
		.option('--yes', 'do not ask for confirmation')
		.addHelpText('after', examples('board-access keys revoke key_0123456789abcdef01234567 --yes'))
		.action((ids: string[], options: RevokeOptions) => revokeKeys(ids, options, io));
}

function addId(keys: Command, io: Io) {
	return addCommand(keys, 'id')
		.description('print the ID of the key on standard input, without sending a request')
		.addHelpText('after', examples('printenv SERVICE_API_KEY | board-access keys id'))
		.action((options: OutputOptions) => printId(options, io));
}
