// Hands over a new key: to a terminal, a pipe or a file, and nowhere else.
import type { CreatedApiKey } from 'board-access';
import { CliError } from '../failures/cli-error.ts';
import { exitCodes } from '../failures/exit-codes.ts';
import type { ServiceOptions } from '../options.ts';
import type { Call } from '../service/call.ts';
import { reasonOf } from '../terminal/input.ts';
import type { Io } from '../terminal/io.ts';
import { deliver, note, printResult } from '../terminal/output.ts';
import { printableJson, quoted } from '../terminal/style.ts';
import { createEnvFile } from './env-file.ts';

export interface DeliveryOptions extends ServiceOptions {
	saveEnv?: string;
}

type Create = () => Promise<CreatedApiKey>;

/** Creates a key and delivers it as the options say. */
export async function deliverKey(call: Call<DeliveryOptions>, create: Create) {
	const { saveEnv } = call.options;
	if (saveEnv === undefined) return toOutput(call, create);
	const { key: _, ...record } = await toFile(saveEnv, call, create);
	printResult(record, `The key ${record.id} is saved in ${saveEnv} and nowhere else.`, call);
}

async function toOutput(call: Call<DeliveryOptions>, create: Create) {
	const { options, io } = call;
	const created = await interruptible(create, io);
	try {
		await deliver(textOf(created, options, io), io);
	} catch (error) {
		throw await undelivered(created, call, { place: 'standard output', cause: error });
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

async function toFile(file: string, call: Call, create: Create) {
	const envFile = await createEnvFile(file);
	let created: CreatedApiKey | undefined;
	try {
		created = await interruptible(create, call.io);
		await envFile.write(created.key);
	} catch (error) {
		await envFile.remove();
		throw created ? await undelivered(created, call, { place: file, cause: error }) : error;
	}
	await noteReplaced(created, call.io);
	return created;
}

/** A key that was not delivered is useless, so it must not stay valid. */
async function undelivered(
	{ id, key }: CreatedApiKey,
	{ client }: Call,
	{ place, cause }: { place: string; cause: unknown },
) {
	// With the key itself: a rotation has revoked the key that the client uses.
	const { keys } = client.withOptions({ apiKey: key });
	const revoked = await keys.revoke(id).then(
		() => true,
		() => false,
	);
	return new CliError(`The new key ${id} could not be written to ${place}: ${reasonOf(cause)}`, {
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
async function interruptible(create: Create, io: Io) {
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
