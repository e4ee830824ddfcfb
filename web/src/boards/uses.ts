// Who uses boards and waits for them, in words.
import type { BoardUse, Member } from 'board-access-core';

export interface Viewer {
	account: Pick<Member, 'id' | 'role'>;
	/** Addresses of accounts and labels of keys, which only administrators have. */
	names: ReadonlyMap<string, string>;
}

type Holder = Pick<NonNullable<BoardUse['lease']>, 'account_id' | 'api_key_id' | 'label'>;

/** Visitors see themselves. Of others, they see only whether an API key uses the board; administrators see all. */
export function describeHolder(
	{ account_id, api_key_id, label }: Holder,
	{ account, names }: Viewer,
) {
	if (account_id === account.id) return label ? `You, ${label}` : 'You';
	const email = names.get(account_id);
	if (email === undefined) return api_key_id === null ? 'Someone else' : 'An API key';
	const key = api_key_id !== null && `key ${names.get(api_key_id) ?? api_key_id}`;
	return [email, key, label].filter(Boolean).join(', ');
}

export function isOwn({ lease }: BoardUse, { account }: Viewer) {
	return lease?.account_id === account.id;
}
