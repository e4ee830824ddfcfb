// Boards that are leased together: their names beside each of them, and all of them on one page.
import { findMembers, type LeaseView } from 'board-access-core';
import { Name } from '../elements/text.tsx';
import type { MemberVisit, Page } from '../pages.tsx';
import { viewerOf } from './viewer.ts';

/** The role of a lease in its group, and the others. */
export function GroupLinks({ lease, members }: Pick<LeaseView, 'lease' | 'members'>) {
	const others = members.filter(({ id }) => id !== lease.id);
	if (others.length === 0) return null;
	return (
		<p class="muted small">
			<Name>{lease.role ?? ''}</Name>, together with{' '}
			{others.map(({ id, role }, at) => [at > 0 && ', ', <a href={`/leases/${id}`}>{role}</a>])} ·{' '}
			<a href={`/leases/${lease.id}/group`}>side by side</a>
		</p>
	);
}

/** The page of each lease, in a frame of its own. */
export async function showGroup(visit: MemberVisit): Promise<Page> {
	const { lease } = await viewerOf(visit, 'hold');
	const members = await findMembers(visit.services.database.query, lease);
	const main = (
		<div class="group-frames">
			{members.map(({ id, role, board_type }) => (
				<iframe
					class="card"
					src={`/leases/${id}?framed`}
					title={`The lease of ${role ?? board_type}`}
				/>
			))}
		</div>
	);
	const title = members.map(({ role, board_type }) => role ?? board_type).join(', ');
	return { title, lead: 'These leases begin, are renewed and end together.', main };
}
