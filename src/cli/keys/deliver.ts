// Hands over a new key: to a terminal, a pipe or a file, and nowhere else.
import type { BoardAccess, CreatedApiKey } from 'board-access';
import { CliError } from '../failures/cli-error.ts';
import { exitCodes } from '../failures/exit-codes.ts';
import type { ServiceOptions } from '../options.ts';
import { reasonOf } from '../terminal/input.ts';
import type { Io } from '../terminal/io.ts';
import { deliver, note, printJson } from '../terminal/output.ts';
import { printableJson, quoted } from '../terminal/style.ts';
import { createEnvFile } from './env-file.ts';

export interface DeliveryOptions extends ServiceOptions {
	saveEnv?: string;
}

/** What creates the key, and the client that revokes it if it cannot be delivered. */
interface Creation {
	client: BoardAccess;
	create: () => Promise<CreatedApiKey>;
}

/** Creates a key and delivers it as the options say. */
export async function deliverKey(creation: Creation, options: DeliveryOptions, io: Io) {
	if (options.saveEnv === undefined) return toOutput(creation, options, io);
	const { key: _, ...record } = await toFile(options.saveEnv, creation, io);
	if (options.json) return printJson(record, io);
	note(`The key ${record.id} is saved in ${options.saveEnv} and nowhere else.`, io);
}

async function toOutput({ client, create }: Creation, options: DeliveryOptions, io: Io) {
	const created = await interruptible(create, io);
	try {
		await deliver(textOf(created, options, io), io);
	} catch (error) {
		throw await undelivered({ created, client, place: 'standard output' }, error);
	}
	await noteReplaced(created, io);
	if (io.stdout.isTTY && !options.json) {
		note(`The key ${created.id} is shown only once. Store it now.`, io);
	}
}

function textOf(created: CreatedApiKey, { json }: DeliveryOptions, { stdout }: Io) {
	if (json) return `${printableJson(created)}\n`;
	const { key } = created;
	return stdout.isTTY ? `${key}\n\nexport SERVICE_API_KEY=${key}\n` : `${key}\n`;
}

async function toFile(file: string, { client, create }: Creation, io: Io) {
	const envFile = await createEnvFile(file);
	let created: CreatedApiKey | undefined;
	try {
		created = await interruptible(create, io);
		await envFile.write(created.key);
	} catch (error) {
		await envFile.remove();
		throw created ? await undelivered({ created, client, place: file }, error) : error;
	}
	await noteReplaced(created, io);
	return created;
}

interface Undelivered {
	created: CreatedApiKey;
	client: BoardAccess;
	place: string;
}

/** A key that was not delivered is useless, so it must not stay valid. */
async function undelivered({ created: { id, key }, client, place }: Undelivered, cause: unknown) {
	const reason = reasonOf(cause);
	// With the key itself: a rotation has revoked the key that the client uses.
	const revoked = await client
		.withOptions({ apiKey: key })
		.keys.revoke(id)
		.then(
			() => true,
			() => false,
		);
	return new CliError(`The new key ${id} could not be written to ${place}: ${reason}`, {
		code: 'key_not_delivered',
		exitCode: exitCodes.general,
		hint: revoked
			? 'The key has been revoked.'
			: `The key is lost but still valid. Revoke it: board-access keys revoke ${quoted(id)} --yes`,
		details: { id, revoked },
		cause,
	});
}

/** After an interruption, a key may exist that was never shown. */
async function interruptible(create: () => Promise<CreatedApiKey>, io: Io) {
	try {
		return await create();
	} catch (error) {
		if (!io.signal?.aborted) throw error;
		throw new CliError('Interrupted', {
			code: 'interrupted',
			exitCode: exitCodes.interrupted,
			hint: 'A key may have been created. Check with "board-access keys list".',
			cause: error,
		});
	}
}

async function noteReplaced(created: CreatedApiKey, io: Io) {
	const { responseOf } = await import('board-access');
	if (!responseOf(created)?.headers.has('idempotent-replayed')) return;
	note('The key from the earlier request was replaced and no longer works.', io);
}
