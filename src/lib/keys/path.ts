// The paths of API keys.
import { InputError } from '../../errors.ts';
import { recordPath } from '../path.ts';

export const keysPath = '/v1/auth/keys';

/** The path of one API key, from an id that is safe to put into it. */
export function keyPath(id: string) {
	const path = recordPath(keysPath, id, 'API key');
	if (id.startsWith('key_') && id !== 'key_') return path;
	throw new InputError([{ path: 'id', message: 'must start with "key_"' }]);
}
