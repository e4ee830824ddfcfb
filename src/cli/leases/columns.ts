// How leases are shown.
import type { LeaseRecord } from 'board-access';
import { printDetails } from '../terminal/details.ts';
import type { Io } from '../terminal/io.ts';
import type { Column } from '../terminal/table.ts';

export const leaseColumns: readonly Column<LeaseRecord>[] = [
	{ title: 'ID', value: ({ id }) => id, whole: true },
	{ title: 'STATUS', value: ({ status }) => status, whole: true },
	{ title: 'BOARD', value: ({ boardId }) => boardId, whole: true },
	{ title: 'TYPE', value: ({ boardType }) => boardType },
	{ title: 'CREATED', value: ({ createdAt }, moment) => moment(createdAt) },
	{ title: 'READY BY', value: (lease, moment) => moment(lease.preparationExpiresAt) },
	{
		title: 'ENDS',
		value: (lease, moment) => moment(lease.endedAt ?? lease.expiresAt, lease.expiresInMs),
	},
	{ title: 'REASON', value: ({ endReason }) => endReason },
	{ title: 'LABEL', value: ({ label }) => label },
];

export function printLease(lease: LeaseRecord, io: Io) {
	printDetails(
		(moment) => [
			['ID', lease.id],
			['Status', lease.status],
			['Place', lease.queuePosition && `${lease.queuePosition} in the queue`],
			['Board', lease.boardId],
			['Type', lease.boardType],
			['Label', lease.label],
			['Console', [lease.consoleStatus, lease.consoleMessage].filter(Boolean).join(': ')],
			['Created', moment(lease.createdAt)],
			['Started', moment(lease.startedAt)],
			['Ready by', moment(lease.preparationExpiresAt)],
			['Ends', lease.endedAt ? undefined : moment(lease.expiresAt, lease.expiresInMs)],
			['Ended', moment(lease.endedAt)],
			['Reason', [lease.endReason, lease.endMessage].filter(Boolean).join(': ')],
			['Credits', lease.credits],
		],
		io,
	);
}
