// `board-access keys revoke`: one key or several.
import { eachOf } from '../failures/each.ts';
import type { ServiceOptions } from '../options.ts';
import type { Call } from '../service/connect.ts';
import { findKey } from '../service/credentials.ts';
import { confirm } from '../terminal/input.ts';
import { note } from '../terminal/output.ts';
import { keyId } from './id.ts';

interface RevokeOptions extends ServiceOptions {
	created?: true;
	yes?: true;
}

export async function revokeKeys(call: Call<RevokeOptions>, ids: readonly string[]) {
	const { client, options, io, signal } = call;
	const { created, json } = options;
	await confirm('Revoking a key', call, () => question(call, ids));
	await eachOf(ids, { call, what: 'key', done: 'revoked' }, async (id) => {
		const revoked = await client.keys.revoke(id, { created, signal });
		if (!json) note(`The key ${id} is revoked${created ? ', and the keys it created' : ''}.`, io);
		return revoked;
	});
}

/** Says which keys they are, and returns the question. */
async function question({ client, options, io, signal }: Call, ids: readonly string[]) {
	// Standard input is read only once.
	const used = options.apiKeyFile === '-' ? undefined : (await findKey(options, io)).text;
	const inUse = used && (await keyId(used.trim()));
	const keys = await client.keys.list({}, { signal });
	for (const id of ids) {
		const label = keys.find((key) => key.id === id)?.label;
		const warning = id === inUse ? ', the key that this command uses' : '';
		note(`${id}${label ? ` "${label}"` : ''}${warning}`, io);
	}
	return ids.length === 1 ? 'Revoke this key?' : `Revoke these ${ids.length} keys?`;
}
