// Revokes an API key.
import { InputError } from '../errors/errors.ts';
import { recordPath } from '../http/path.ts';
import type { RequestFunction } from '../http/request.ts';
import { fieldsOf } from '../records/json.ts';
import type { RevokedApiKey, RevokeOptions } from './types.ts';

export const keysPath = '/v1/auth/keys';

/** The path of one API key, from an id that is safe to put into it. */
export function keyPath(id: string) {
	const path = recordPath(keysPath, id, 'API key');
	if (id.startsWith('key_') && id !== 'key_') return path;
	throw new InputError([{ path: 'id', message: 'must start with "key_"' }]);
}

export async function revokeKey(
	request: RequestFunction,
	id: string,
	{ created, ...options }: RevokeOptions = {},
) {
	return await request({
		method: 'DELETE',
		path: keyPath(id),
		query: { created },
		options,
		read: (body): RevokedApiKey => {
			const { revoked_at: revokedAt } = fieldsOf(body);
			return { id, ...(typeof revokedAt === 'string' && { revokedAt }) };
		},
	});
}
