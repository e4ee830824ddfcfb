// Who is at the page of a lease, and what they may do with it.
import { askedLease } from '../../leases/sharing/routes.ts';
import type { Access } from '../../leases/sharing/store.ts';
import type { MemberVisit } from '../pages.tsx';

export type Viewer = Awaited<ReturnType<typeof viewerOf>>;

/** The lease as its holder has it, and the access of the visitor, who may be a colleague or an administrator. */
export async function viewerOf({ c, account, parts }: MemberVisit, needed: Access = 'look') {
	const asker = { accountId: account.id, isAdmin: account.role === 'admin' };
	const { owned, access } = await askedLease(c, parts.database.query, asker, needed);
	return { ...owned, access, watches: asker.isAdmin && access === 'look' };
}
