// `board-access keys revoke`: one key or several.
import { eachOf } from '../failures/each.ts';
import type { ServiceOptions } from '../options.ts';
import { readKeyFrom } from '../service/api-key-source.ts';
import type { Call } from '../service/call.ts';
import { confirm } from '../terminal/confirm.ts';
import type { Io } from '../terminal/io.ts';
import { note } from '../terminal/output.ts';
import { keyId } from './id.ts';

interface RevokeOptions extends ServiceOptions {
	created?: true;
	yes?: true;
}

export async function revokeKeys(call: Call<RevokeOptions>, ids: readonly string[]) {
	await confirm(
		{
			unattended: 'Revoking a key needs --yes without a terminal',
			question: () => question(call, ids),
			refused: 'No key was revoked',
		},
		call,
	);
	const { client, options, io, signal } = call;
	const { created, json } = options;
	const revoke = async (id: string) => {
		const revoked = await client.keys.revoke(id, { created, signal });
		if (!json) note(`The key ${id} is revoked${created ? ', and the keys it created' : ''}.`, io);
		return revoked;
	};
	await eachOf(ids, revoke, { call, what: 'key', done: 'revoked' });
}

/** Says which keys they are, and returns the question. */
async function question(call: Call<RevokeOptions>, ids: readonly string[]) {
	const inUse = await keyInUse(call.options, call.io);
	const labels = await labelsOf(call, ids);
	for (const id of ids) {
		const label = labels.get(id);
		const warning = id === inUse ? ', the key that this command uses' : '';
		note(`${id}${label ? ` "${label}"` : ''}${warning}`, call.io);
	}
	return ids.length === 1 ? 'Revoke this key?' : `Revoke these ${ids.length} keys?`;
}

/** The ID of the key in use, unless it comes from standard input, which is read only once. */
async function keyInUse(options: RevokeOptions, io: Io) {
	if (options.apiKeyFile === '-') return undefined;
	const { text } = await readKeyFrom(options, io);
	return keyId(text.trim());
}

async function labelsOf({ client, signal }: Call, ids: readonly string[]) {
	const labels = new Map<string, string | null | undefined>();
	for await (const { id, label } of client.keys.list({}, { signal })) {
		if (ids.includes(id)) labels.set(id, label);
		if (labels.size === ids.length) break;
	}
	return labels;
}
