// The request about the account.
import { accountFields } from '../contract/account.ts';
import { call } from '../http/call.ts';
import type { RequestFunction } from '../http/request.ts';
import { readKey } from '../keys/keys.ts';
import { recordReader } from '../records/records.ts';
import type { Account } from './types.ts';

const readAccount = recordReader(accountFields);

export function createAccount(request: RequestFunction): Account {
	return {
		get: async (options) =>
			await call(request, 'GET /v1/account', {
				options,
				read: (body) => {
					const account = readAccount(body);
					return { ...account, key: body.key ? readKey(body.key, ['key']) : null };
				},
			}),
	};
}
