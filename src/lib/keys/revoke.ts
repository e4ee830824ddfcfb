// Revokes an API key.
import type { RevokedApiKey, RevokeOptions } from '../../keys.ts';
import { fieldsOf } from '../json.ts';
import type { RequestFunction } from '../request.ts';
import { keyPath } from './path.ts';

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
