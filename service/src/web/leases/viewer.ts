// Who is at the page of a lease, and what they may do with it.
import { ApiError } from '../../errors.ts';
import { type Access, accessTo } from '../../leases/sharing/access.ts';
import { authorizeLease } from '../../leases/sharing/routes.ts';
import type { MemberVisit } from '../pages.tsx';

export type Viewer = Awaited<ReturnType<typeof viewerOf>>;

/** The lease as its holder has it, and the access of the visitor, who may be a colleague or an administrator. */
export async function viewerOf(visit: MemberVisit, needed: Access = 'look') {
	const { c, parts } = visit;
	const caller = callerOf(visit);
	const { lease, owned, access } = await authorizeLease(c, parts.database.query, caller, needed);
	return { ...owned, lease, access, watches: caller.isAdmin && access === 'look' };
}

/** The access by now of a visitor who keeps the page open. Who has lost it is confirmed no more, and gets nothing. */
export async function currentAccess(visit: MemberVisit, { id, access: before }: Viewer) {
	const caller = { ...callerOf(visit), id };
	const found = await accessTo(visit.parts.database.query, caller, 'look').catch((error) => {
		if (!(error instanceof ApiError)) throw error;
	});
	return found?.access ?? before;
}

function callerOf({ account }: MemberVisit) {
	return { accountId: account.id, isAdmin: account.role === 'admin' };
}
