// `board-access whoami`: which service and which key commands use, and where they come from.
import { type ApiKey, BoardAccess, isApiError, readApiKey } from 'board-access';
import { keyId } from '../keys/id.ts';
import type { ServiceOptions } from '../options.ts';
import { readKeyFrom } from '../service/api-key-source.ts';
import { findBaseUrl, readAddress } from '../service/base-url-source.ts';
import { saidTo } from '../service/connect.ts';
import { readLogins } from '../service/saved-logins.ts';
import type { Io } from '../terminal/io.ts';
import { printJson } from '../terminal/output.ts';
import { printable } from '../terminal/style.ts';

export type WhoamiOptions = ServiceOptions;

export async function whoami(options: WhoamiOptions, io: Io) {
	const address = await findBaseUrl(options, io);
	const baseUrl = await readAddress(address, options);
	const key = await readKeyFrom(options, io);
	const apiKey = readApiKey(key.text, key.source);
	const client = new BoardAccess({
		...options,
		baseUrl,
		apiKey,
		fetch: saidTo(io, options).watching(io.fetch),
	});
	await client.boards.list({ pageSize: 1 }, { signal: io.signal }).first(1);
	const id = await keyId(apiKey);
	const label = (await ownRecord(client, id, io))?.label ?? null;
	const services = [...(await readLogins(io)).keys()];
	if (options.json)
		return printJson({ ...sources(address, key), baseUrl, keyId: id, label, services }, io);
	const lines = [
		['Service', `${baseUrl.href.replace(/\/$/, '')} (from ${address.source})`],
		['Key', `${id} (from ${key.source})`],
		...(label ? [['Label', label]] : []),
		...(services.length > 0 ? [['Saved', services.join(', ')]] : []),
	];
	io.stdout.write(
		lines.map(([name = '', text]) => `${name.padEnd(8)} ${printable(`${text}`)}\n`).join(''),
	);
}

type Found = Readonly<{ source: string }>;

function sources({ source: addressSource }: Found, { source: keySource }: Found) {
	return { addressSource, keySource };
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
