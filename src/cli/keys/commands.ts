// `board-access keys`: API keys made, listed, revoked and replaced.
import type { ApiKey, BoardAccess } from 'board-access';
import type { Command } from 'commander';
import { CliError } from '../failures/cli-error.ts';
import { exitCodes } from '../failures/exit-codes.ts';
import {
	addCommand,
	addServiceCommand,
	examples,
	type OutputOptions,
	type ServiceOptions,
} from '../options.ts';
import { readKeyFrom } from '../service/api-key-source.ts';
import { connect } from '../service/connect.ts';
import { ask, readInput } from '../terminal/input.ts';
import type { Io } from '../terminal/io.ts';
import { note, printJson, printList } from '../terminal/output.ts';
import { type DeliveryOptions, deliverKey } from './deliver.ts';
import { keyId } from './id.ts';

interface CreateOptions extends DeliveryOptions {
	label?: string;
	idempotencyKey?: string;
}

interface ListOptions extends ServiceOptions {
	includeRevoked?: true;
}

interface RevokeOptions extends ServiceOptions {
	yes?: true;
}

const columns = [
	{ title: 'ID', value: (key: ApiKey) => key.id },
	{ title: 'LABEL', value: (key: ApiKey) => key.label },
	{ title: 'HINT', value: (key: ApiKey) => key.hint },
	{ title: 'CREATED', value: (key: ApiKey) => key.createdAt },
	{ title: 'LAST USED', value: (key: ApiKey) => key.lastUsedAt ?? 'never' },
	{ title: 'REVOKED', value: (key: ApiKey) => key.revokedAt },
];

export function addKeys(program: Command, io: Io) {
	const keys = program.command('keys').description('make, list, revoke and replace API keys');
	withDelivery(addServiceCommand(keys, 'create'))
		.description('create a key; in a pipe it is printed alone')
		.addHelpText(
			'after',
			examples(
				'export SERVICE_API_KEY=$(board-access keys create --label ci)',
				'board-access keys create --label ci --save-env ci.env',
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
	const { label, idempotencyKey } = options;
	const make = () => client.keys.create({ label }, { idempotencyKey, signal: io.signal });
	await deliverKey(make, options, io);
}

async function list(options: ListOptions, io: Io) {
	const client = await connect(options, io);
	const { includeRevoked } = options;
	const keys = await client.keys.list({ includeRevoked }, { signal: io.signal });
	printList(keys, { columns, empty: 'There is no key.' }, { options, io });
}

async function rotate(id: string, options: CreateOptions, io: Io) {
	const client = await connect(options, io);
	const { label, idempotencyKey } = options;
	const make = async () => {
		const created = await client.keys.rotate(id, { label }, { idempotencyKey, signal: io.signal });
		if (!created.replaced) note(`The old key may still work. Revoke ${id} again.`, io);
		return created;
	};
	await deliverKey(make, options, io);
}

async function labelOf(id: string, client: BoardAccess, io: Io) {
	const options = { signal: io.signal };
	for await (const key of client.keys.list({}, options)) if (key.id === id) return key.label;
	return undefined;
}

async function confirm(id: string, client: BoardAccess, io: Io) {
	if (!io.stdin.isTTY || !io.stderr.isTTY) {
		throw new CliError('Revoking a key needs --yes where nobody can be asked', {
			code: 'not_confirmed',
			exitCode: exitCodes.usage,
		});
	}
	const label = await labelOf(id, client, io);
	const answer = await ask(`Revoke the key ${id}${label ? ` "${label}"` : ''}? [y/N] `, io);
	if (/^y(es)?$/i.test(answer)) return;
	throw new CliError('Nothing was revoked', {
		code: 'not_confirmed',
		exitCode: exitCodes.general,
	});
}

async function warnIfInUse(id: string, options: ServiceOptions, io: Io) {
	if (options.apiKeyFile === '-') return; // standard input is read only once
	const { text } = await readKeyFrom(options, io);
	if ((await keyId(text.trim())) === id) note('This is the key that this command uses itself.', io);
}

async function revoke(id: string, options: RevokeOptions, io: Io) {
	const client = await connect(options, io);
	await warnIfInUse(id, options, io);
	if (!options.yes) await confirm(id, client, io);
	const revoked = await client.keys.revoke(id, { signal: io.signal });
	if (options.json) return printJson(revoked, io);
	note(`The key ${id} no longer works.`, io);
}

async function printId(options: OutputOptions, io: Io) {
	if (io.stdin.isTTY) note('Paste the key, then press Enter and Ctrl-D.', io);
	const { readApiKey } = await import('board-access');
	const id = await keyId(readApiKey(await readInput(io), 'standard input'));
	if (options.json) return printJson({ id }, io);
	io.stdout.write(`${id}\n`);
}

function withDelivery(command: Command) {
	return command
		.option('--label <label>', 'what the key is for; it cannot be changed later')
		.option('--save-env <file>', 'write the key to a new file that only you can read')
		.option('--idempotency-key <key>', 'makes repeating this command safe for 24 hours');
}

function addRotate(keys: Command, io: Io) {
	return withDelivery(addServiceCommand(keys, 'rotate'))
		.description('replace a key: create one, prove that it works, revoke the old one')
		.argument('<id>', 'the id of the old key')
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
		.description('revoke a key; it stops working at once')
		.argument('<id>', 'the id of the key')
		.option('--yes', 'do not ask')
		.addHelpText('after', examples('board-access keys revoke key_0123456789abcdef01234567 --yes'))
		.action((id: string, options: RevokeOptions) => revoke(id, options, io));
}

function addId(keys: Command, io: Io) {
	return addCommand(keys, 'id')
		.description('print the id of the key on standard input; nothing is sent')
		.addHelpText('after', examples('printenv SERVICE_API_KEY | board-access keys id'))
		.action((options: OutputOptions) => printId(options, io));
}
