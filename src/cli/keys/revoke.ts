// `board-access keys revoke`: one key or several.
import type { BoardAccess, RevokedApiKey } from 'board-access';
import { CliError } from '../failures/cli-error.ts';
import { exitCodes } from '../failures/exit-codes.ts';
import { type Failure, failureOf } from '../failures/failure.ts';
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
	const revoked: RevokedApiKey[] = [];
	const failures: (Failure & { id: string })[] = [];
	for (const id of new Set(ids)) {
		try {
			const { created } = options;
			revoked.push(await client.keys.revoke(id, { created, signal: io.signal }));
			if (!options.json)
				note(`The key ${id} is revoked${created ? ', and the keys it created' : ''}.`, io);
		} catch (error) {
			if (io.signal?.aborted || ids.length === 1) throw error;
			failures.push({ ...(await failureOf(error)), id });
		}
	}
	if (options.json) printJson(revoked, io);
	if (failures.length > 0) throw notAllRevoked(failures);
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

function notAllRevoked(failures: readonly (Failure & { id: string })[]) {
	const count = failures.length;
	return new CliError(`${count} ${count === 1 ? 'key was' : 'keys were'} not revoked`, {
		code: failures[0]?.code ?? 'not_revoked',
		exitCode: failures[0]?.exitCode ?? exitCodes.general,
		details: { issues: failures.map(({ id, message }) => ({ path: id, message })) },
	});
}
