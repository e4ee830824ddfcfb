// Hands a new key over: to a terminal, a pipe or a file, and nowhere else.
import type { CreatedApiKey } from 'board-access';
import { CliError } from '../failures/cli-error.ts';
import { exitCodes } from '../failures/exit-codes.ts';
import type { ServiceOptions } from '../options.ts';
import type { Io } from '../terminal/io.ts';
import { note, printJson } from '../terminal/output.ts';
import { createEnvFile } from './env-file.ts';

export interface DeliveryOptions extends ServiceOptions {
	saveEnv?: string;
}

/** Makes a key and delivers it as the options say. */
export async function deliverKey(
	make: () => Promise<CreatedApiKey>,
	options: DeliveryOptions,
	io: Io,
) {
	const create = interruptible(make, io);
	const created = await (options.saveEnv === undefined
		? create()
		: intoFile(options.saveEnv, create));
	await noteReplaced(created, io);
	if (options.saveEnv === undefined) return print(created, options, io);
	const { key: _, ...record } = created;
	if (options.json) return printJson(record, io);
	note(`The key ${record.id} is in ${options.saveEnv}, and nowhere else.`, io);
}

function onTerminal({ id, key }: CreatedApiKey, io: Io) {
	io.stdout.write(`${key}\n\nexport SERVICE_API_KEY=${key}\n`);
	note(`This is the only time that the key ${id} is shown. Store it now.`, io);
}

function print(created: CreatedApiKey, options: DeliveryOptions, io: Io) {
	if (options.json) return printJson(created, io);
	if (io.stdout.isTTY) return onTerminal(created, io);
	io.stdout.write(`${created.key}\n`);
}

function notStored({ id }: CreatedApiKey, file: string, cause: unknown) {
	return new CliError(`The key ${id} was created, but it could not be written to ${file}`, {
		code: 'key_not_stored',
		exitCode: exitCodes.general,
		hint: `It is lost. Revoke it: board-access keys revoke ${id} --yes`,
		details: { id },
		cause,
	});
}

async function intoFile(file: string, make: () => Promise<CreatedApiKey>) {
	const envFile = await createEnvFile(file);
	let created: CreatedApiKey | undefined;
	try {
		created = await make();
		await envFile.write(created.key);
		return created;
	} catch (error) {
		await envFile.remove();
		throw created ? notStored(created, file, error) : error;
	}
}

// Whoever interrupts must know that there may be a key that nobody has seen.
function interruptible(make: () => Promise<CreatedApiKey>, io: Io) {
	return async () => {
		try {
			return await make();
		} catch (error) {
			if (!io.signal?.aborted) throw error;
			throw new CliError('Interrupted', {
				code: 'interrupted',
				exitCode: exitCodes.interrupted,
				hint: 'A key may have been created: look at "board-access keys list".',
				cause: error,
			});
		}
	};
}

async function noteReplaced(created: CreatedApiKey, io: Io) {
	const { responseOf } = await import('board-access');
	if (!responseOf(created)?.headers.has('idempotent-replayed')) return;
	note('The earlier key of this idempotency key was replaced and no longer works.', io);
}
