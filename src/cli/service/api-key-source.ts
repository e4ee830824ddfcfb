// Finds the API key. There is no option that takes it as text: process lists and histories keep it.

import { CliError } from '../failures/cli-error.ts';
import { exitCodes } from '../failures/exit-codes.ts';
import type { ServiceOptions } from '../options.ts';
import { readInput, readTextFile } from '../terminal/input.ts';
import type { Io } from '../terminal/io.ts';

export interface FoundKey {
	/** As it stands there; not yet known to be a key. */
	text: string;
	/** Where it was found, for messages. */
	source: string;
}

/** The option wins over the environment. */
export async function readKeyFrom(
	{ apiKeyFile }: Pick<ServiceOptions, 'apiKeyFile'>,
	io: Io,
): Promise<FoundKey> {
	if (apiKeyFile === '-') return { text: await readInput(io), source: 'standard input' };
	if (apiKeyFile !== undefined) {
		return { text: await readTextFile(apiKeyFile), source: `the file ${apiKeyFile}` };
	}
	if (io.env.SERVICE_API_KEY === undefined) throw missing();
	return { text: io.env.SERVICE_API_KEY, source: 'SERVICE_API_KEY' };
}

function missing() {
	return new CliError('There is no API key', {
		code: 'api_key_missing',
		exitCode: exitCodes.credentials,
		hint: 'Set SERVICE_API_KEY or pass --api-key-file. A key is made on the API Keys page of the web UI; it is shown once.',
	});
}
