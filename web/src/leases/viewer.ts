// Who visits the page of a lease, and what they may do with it.
import { type Accessible, ApiError, accessTo } from 'board-access-core';
import { authorizeLease } from 'board-access-http/authorize-lease';
import type { MemberVisit } from '../pages.tsx';

export type Viewer = Awaited<ReturnType<typeof viewerOf>>;

/** The lease as its holder has it, and the access of the visitor, who may be a colleague or an administrator. */
export async function viewerOf(
	{ c, services, caller }: MemberVisit,
	needed: Accessible['access'] = 'look',
) {
	const { owned, ...found } = await authorizeLease(c, services, caller, needed);
	return { ...owned, ...found };
}

/** The current access of a visitor with an open page. If they have lost it, the stream ends before it sends anything. */
export async function currentAccess(
	{ services, caller }: MemberVisit,
	{ id, access: before }: Viewer,
) {
	// Nobody takes a lease from its holder.
	if (before === 'hold') return before;
	const found = await accessTo(services.database.query, { ...caller, id }, 'look').catch(
		(error) => {
			if (!(error instanceof ApiError)) throw error;
		},
	);
	return found?.access ?? before;
}
