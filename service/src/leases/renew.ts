// Renews a lease: it ends the given minutes from now, never earlier than before.

import type { Kysely } from 'kysely';
import { lockAccount } from '../accounts/lock.ts';
import { creditsExhausted, spendableCredits } from '../credits/holds.ts';
import type { LeaseRow, Schema } from '../database/schema.ts';
import { now } from '../database/time.ts';
import { inTransaction } from '../database/transactions.ts';
import type { Settings } from '../env.ts';
import { ApiError } from '../errors.ts';
import { costBetween } from './cost.ts';
import { lockLease } from './lock.ts';
import { leaseEnded, noSuchLease } from './refusals.ts';

const minute = 60_000;

export interface Renewal {
	accountId: string;
	id: string;
	minutes: number;
}

export function renewLease(
	db: Kysely<Schema>,
	{ accountId, id, minutes }: Renewal,
	limits: Pick<Settings, 'leaseMaxMinutes' | 'webUrl'>,
): Promise<LeaseRow> {
	return inTransaction(db, async (db) => {
		await lockAccount(db, accountId);
		const lease = await lockLease(db, id);
		if (lease?.account_id !== accountId) throw noSuchLease();
		const held = heldLease(lease);
		const expires_at = renewedUntil(held, minutes, limits.leaseMaxMinutes);
		const held_credits = costBetween(
			lease.credits_per_minute,
			lease.started_at ?? held.granted_at,
			expires_at,
		);
		if (held_credits > lease.held_credits) {
			const spendable = await spendableCredits(db, accountId, id);
			if (held_credits > spendable) {
				throw creditsExhausted({ needed: held_credits, spendable }, limits.webUrl);
			}
		}
		return db
			.updateTable('leases')
			.set({ expires_at, held_credits: Math.max(held_credits, lease.held_credits) })
			.where('id', '=', id)
			.returningAll()
			.executeTakeFirstOrThrow();
	});
}

/** The times of a lease that holds a board and is not over. */
function heldLease(lease: LeaseRow) {
	if (lease.status === 'ended') throw leaseEnded(lease);
	const { granted_at, expires_at } = lease;
	if (granted_at === null || expires_at === null) {
		throw new ApiError(
			'lease_not_active',
			'The lease is waiting for a board and cannot be renewed yet.',
		);
	}
	if (expires_at <= now()) {
		throw leaseEnded({ ...lease, end_reason: 'expired', end_message: expiredMessage });
	}
	return { granted_at, expires_at };
}

export const expiredMessage = 'The lease was not renewed in time.';

function renewedUntil(
	{ granted_at, expires_at }: { granted_at: string; expires_at: string },
	minutes: number,
	leaseMaxMinutes: number,
) {
	const wanted = Date.now() + minutes * minute;
	const latest = Date.parse(granted_at) + leaseMaxMinutes * minute;
	return new Date(Math.max(Date.parse(expires_at), Math.min(wanted, latest))).toISOString();
}
