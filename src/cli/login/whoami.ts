// `board-access whoami`: which service and which key commands use, and where they come from.
import { type ApiKey, type BoardAccess, isApiError, readApiKey } from 'board-access';
import { keyId } from '../keys/id.ts';
import type { ServiceOptions } from '../options.ts';
import { readKeyFrom } from '../service/api-key-source.ts';
import { findBaseUrl, readAddress } from '../service/base-url-source.ts';
import { createClient } from '../service/connect.ts';
import { readLogins } from '../service/saved-logins.ts';
import type { Io } from '../terminal/io.ts';
import { printDetails, printJson } from '../terminal/output.ts';

export async function whoami(options: ServiceOptions, io: Io) {
	const address = await findBaseUrl(options, io);
	const baseUrl = await readAddress(address, options);
	const key = await readKeyFrom(options, io);
	const apiKey = readApiKey(key.text, key.source);
	const client = await createClient({ baseUrl, apiKey }, options, io);
	await client.boards.list({ pageSize: 1 }, { signal: io.signal }).first(1);
	const id = await keyId(apiKey);
	const label = (await ownRecord(client, id, io))?.label ?? null;
	const services = [...(await readLogins(io)).keys()];
	if (options.json) {
		const sources = { addressSource: address.source, keySource: key.source };
		return printJson({ ...sources, baseUrl, keyId: id, label, services }, io);
	}
	const fields = [
		['Service', `${baseUrl.href.replace(/\/$/, '')} (from ${address.source})`],
		['Key', `${id} (from ${key.source})`],
		['Label', label],
		['Saved', services.join(', ')],
	] as const;
	printDetails(() => fields, io);
}

/** The record of the key in use; nothing where its scope does not allow to list keys. */
async function ownRecord(client: BoardAccess, id: string, io: Io): Promise<ApiKey | undefined> {
	try {
		for await (const key of client.keys.list({}, { signal: io.signal }))
			if (key.id === id) return key;
	} catch (error) {
		if (!isApiError(error) || error.status !== 403) throw error;
	}
	return undefined;
}
