// Revoking a key: the keys that it created are found when it is the account's turn.
import { findFamily, revokeKey } from 'board-access-core';
import { respond } from 'board-access-http/respond';
import type { Services } from '../services.ts';
import type { Answers } from './serve.ts';

export function keyAnswers({ database, limits }: Services) {
	return {
		async revokeKey(c, { accountId }, { ids, query }) {
			const key = { accountId, ...ids };
			const find = () => findFamily(database.reader, key);
			const withFamily = query.created === 'true';
			const family = withFamily ? await limits.findFamily(accountId, find) : undefined;
			return respond(c, await revokeKey(database.query, key, family));
		},
	} satisfies Pick<Answers, 'revokeKey'>;
}
