// `board-access keys revoke`: one key or several.
import type { BoardAccess } from 'board-access';
import { eachOf, requireAll } from '../failures/each.ts';
import type { ServiceOptions } from '../options.ts';
import { readKeyFrom } from '../service/api-key-source.ts';
import { connect } from '../service/connect.ts';
import { confirm } from '../terminal/confirm.ts';
import type { Io } from '../terminal/io.ts';
import { note, printJson } from '../terminal/output.ts';
import { keyId } from './id.ts';

export interface RevokeOptions extends ServiceOptions {
	created?: true;
	yes?: true;
}

export async function revokeKeys(ids: readonly string[], options: RevokeOptions, io: Io) {
	const client = await connect(options, io);
	if (!options.yes) {
		await confirm(
			{
				unattended: 'Revoking a key needs --yes without a terminal',
				question: () => question(ids, { client, options, io }),
				refused: 'No key was revoked',
			},
			io,
		);
	}
	const { created, json } = options;
	const revoke = async (id: string) => {
		const revoked = await client.keys.revoke(id, { created, signal: io.signal });
		if (!json) note(`The key ${id} is revoked${created ? ', and the keys it created' : ''}.`, io);
		return revoked;
	};
	const { results, failures } = await eachOf(ids, revoke, io);
	if (json) printJson(results, io);
	requireAll(failures, 'key', 'revoked');
}

interface Confirmation {
	client: BoardAccess;
	options: RevokeOptions;
	io: Io;
}

/** Says which keys they are, and returns the question. */
async function question(ids: readonly string[], { client, options, io }: Confirmation) {
	const inUse = await keyInUse(options, io);
	const labels = await labelsOf(ids, client, io);
	for (const id of ids) {
		const label = labels.get(id);
		const warning = id === inUse ? ', the key that this command uses' : '';
		note(`${id}${label ? ` "${label}"` : ''}${warning}`, io);
	}
	return ids.length === 1 ? 'Revoke this key?' : `Revoke these ${ids.length} keys?`;
}

/** The ID of the key in use, unless it comes from standard input, which is read only once. */
async function keyInUse(options: RevokeOptions, io: Io) {
	if (options.apiKeyFile === '-') return undefined;
	const { text } = await readKeyFrom(options, io);
	return keyId(text.trim());
}

async function labelsOf(ids: readonly string[], client: BoardAccess, { signal }: Io) {
	const labels = new Map<string, string | null | undefined>();
	for await (const { id, label } of client.keys.list({}, { signal })) {
		if (ids.includes(id)) labels.set(id, label);
		if (labels.size === ids.length) break;
	}
	return labels;
}
