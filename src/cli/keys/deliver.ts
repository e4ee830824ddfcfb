// Delivers a new key to a terminal, a pipe or a file.
import { constants, open, unlink } from 'node:fs/promises';
import { type ApiKey, type CreatedApiKey, responseOf } from 'board-access';
import { reasonOf, reasonsNotWritten } from '../../ci/file-reason.ts';
import { printableJson } from '../../contract/printable.ts';
import { CliError } from '../failures/cli-error.ts';
import { exitCodes } from '../failures/exit-codes.ts';
import type { ServiceOptions } from '../options.ts';
import type { Call } from '../service/connect.ts';
import type { Io } from '../terminal/io.ts';
import { deliver, note, printResult } from '../terminal/output.ts';
import { quoted } from '../terminal/style.ts';

export interface DeliveryOptions extends ServiceOptions {
	saveEnv?: string;
}

type Create = () => Promise<CreatedApiKey>;

export async function deliverKey(call: Call<DeliveryOptions>, create: Create) {
	const { options, io } = call;
	const { saveEnv: file } = options;
	if (file !== undefined) {
		const { key: _, ...record } = await toFile(file, call, create);
		const text = `The key ${record.id} is saved in ${file} and nowhere else.`;
		printResult(record, text, call);
		return noteExpiry(record, call);
	}
	const created = await interruptible(create, io);
	await written('standard output', created, call, () => deliver(textOf(created, call), io));
	if (io.stdout.isTTY && !options.json) {
		note(`The key ${created.id} is shown only once. Store it now.`, io);
	}
	noteExpiry(created, call);
}

/** A key may expire sooner than requested, with the key that created it. */
function noteExpiry({ id, expiresAt }: ApiKey, { options, io }: Call) {
	if (expiresAt && !options.json) note(`The key ${id} expires at ${expiresAt}.`, io);
}

function textOf(created: CreatedApiKey, { options, io }: Call) {
	if (options.json) return `${printableJson(created)}\n`;
	const { key } = created;
	return io.stdout.isTTY ? `${key}\n\nexport SERVICE_API_KEY=${key}\n` : `${key}\n`;
}

/** Opens the file before the key is created, so that an invalid path costs no key. */
async function toFile(file: string, call: Call, create: Create) {
	const handle = await openNew(file);
	try {
		const created = await interruptible(create, call.io);
		await written(file, created, call, async () => {
			await handle.writeFile(`SERVICE_API_KEY=${created.key}\n`);
			await handle.sync();
		});
		return created;
	} catch (error) {
		await unlink(file).catch(() => {});
		throw error;
	} finally {
		await handle.close();
	}
}

async function openNew(file: string) {
	// Only a new file gets the right mode, and O_EXCL never follows a link.
	const flags = constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY;
	try {
		return await open(file, flags, 0o600);
	} catch (cause) {
		const reason = reasonOf(cause, { ...reasonsNotWritten, EEXIST: 'it already exists' });
		const code = 'file_not_created';
		throw new CliError(`The file ${file} cannot be created: ${reason}`, { code, cause });
	}
}

/** Writes a key, and revokes it if that fails. */
async function written(
	place: string,
	created: CreatedApiKey,
	{ client, io }: Call,
	write: () => Promise<void>,
) {
	const { id, key } = created;
	try {
		await write();
	} catch (cause) {
		// With the new key, because a rotation may have revoked that of the client.
		const { keys } = client.withOptions({ apiKey: key });
		const revoked = await keys.revoke(id).then(
			() => true,
			() => false,
		);
		throw new CliError(`The new key ${id} could not be written to ${place}: ${reasonOf(cause)}`, {
			code: 'key_not_delivered',
			exitCode: exitCodes.general,
			hint: revoked
				? 'The key has been revoked.'
				: `The key is lost but still valid. Revoke it: board-access keys revoke ${quoted(id)} --yes`,
			details: { id, revoked },
			cause,
		});
	}
	if (!responseOf(created)?.headers.has('idempotent-replayed')) return;
	note('The key from the earlier request was replaced and no longer works.', io);
}

async function interruptible(create: Create, io: Io) {
	try {
		return await create();
	} catch (cause) {
		if (!io.signal?.aborted) throw cause;
		throw new CliError('Interrupted', {
			code: 'interrupted',
			exitCode: exitCodes.interrupted,
			hint: 'A key may have been created. Check with "board-access keys list".',
			cause,
		});
	}
}
