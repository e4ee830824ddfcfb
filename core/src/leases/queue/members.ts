// The leases of a group, as they are stored.
import type { Db, LeaseRow, Owned } from '../../database/schema.ts';

/** The leases of a group of the account, in the order of their roles. */
export async function findGroup(db: Db, { accountId, id }: Owned): Promise<LeaseRow[]> {
	const leases = await db
		.selectFrom('leases')
		.selectAll()
		.where('group_id', '=', id)
		.where('account_id', '=', accountId)
		.execute();
	return byRole(leases);
}

export function byRole(leases: readonly LeaseRow[]) {
	return leases.toSorted((one, other) => (`${one.role}` < `${other.role}` ? -1 : 1));
}

/** The leases that were requested with this one, and it; a lease without a group is alone. */
export async function findMembers(db: Db, lease: LeaseRow): Promise<LeaseRow[]> {
	const { account_id: accountId, group_id: id } = lease;
	return id === null ? [lease] : findGroup(db, { accountId, id });
}
