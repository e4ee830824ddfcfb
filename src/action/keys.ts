// The commands `create-key` and `revoke-key`, and the revocation when the job ends.
import type { BoardAccess } from 'board-access';
import { expiryAfter } from '../ci/duration.ts';
import { safeId } from '../ci/safe-id.ts';
import type { Runner } from './runner.ts';
import { summaryTable } from './summary.ts';

export async function createKey(client: BoardAccess, runner: Runner) {
	const keep = runner.flag('keep-key');
	const label = runner.input('label') || undefined;
	// A job that is killed cannot revoke its key.
	const lifetime = runner.input('expires-in') || (keep ? '' : '24h');
	const expiresAt = lifetime === '' ? undefined : expiryAfter(lifetime);
	const scope = runner.input('scope') || undefined;
	const { id, key } = await client.keys.create({ label, expiresAt, scope });
	runner.mask(key);
	if (!keep) runner.saveState('keyId', id);
	runner.output('key', key);
	runner.output('key-id', safeId(id));
	const expiry = expiresAt ? `, expires at ${expiresAt.toISOString()}` : '';
	const end = (keep ? 'valid until it is revoked' : 'revoked when the job ends') + expiry;
	runner.summary(summaryTable(['Key', 'Label', ''], [[id, label ?? '', end]]));
}

async function revoke(id: string, client: BoardAccess, runner: Runner) {
	await client.keys.revoke(id);
	runner.info(`The key ${id} is revoked.`);
}

export async function revokeKey(client: BoardAccess, runner: Runner) {
	const id = runner.input('key-id');
	await revoke(id, client, runner);
	runner.output('key-id', id);
}

export async function revokeCreatedKey(client: BoardAccess, runner: Runner) {
	return revoke(runner.state('keyId'), client, runner);
}
