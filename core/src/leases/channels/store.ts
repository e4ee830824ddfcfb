// The channels of leases. Each has its home on one replica, which passes the bytes on between the user and the agent.
import { hash, randomBytes } from 'node:crypto';
import { timeIn } from '../../database/clock.ts';
import type { ChannelRow, Db } from '../../database/schema.ts';
import { type FencedReport, fencedLease } from '../fence.ts';

/** How long a channel lives while no replica says that it does, in milliseconds. */
const lifetime = 30_000;

/** A replica, and where the others reach it. */
export interface Home {
	home: string;
	home_url: string | null;
}

const newTicket = () => randomBytes(24).toString('hex');

/** Only the hash of a ticket is stored. */
const hashOf = (ticket: string) => hash('sha256', ticket);

const live = (db: Db) => db.selectFrom('channels').where('channels.expires_at', '>', timeIn(db));

export function countChannels(db: Db, leaseId: string) {
	return live(db)
		.select((eb) => eb.fn.countAll<number>().as('count'))
		.where('lease_id', '=', leaseId)
		.executeTakeFirstOrThrow();
}

type NewChannel = Omit<ChannelRow, 'ticket' | 'agent_ticket' | 'expires_at' | keyof Home>;

/** Stores a channel, and returns a ticket for it. */
export async function storeChannel(db: Db, channel: NewChannel) {
	const ticket = newTicket();
	const opened = { ticket: hashOf(ticket), expires_at: timeIn(db, lifetime) };
	await db
		.insertInto('channels')
		.values({ ...channel, ...opened })
		.execute();
	return { id: channel.id, ticket };
}

/** A ticket for another connection of a channel; undefined if it has ended or belongs to another account. */
export async function reopenChannel(db: Db, channel: NewChannel) {
	const ticket = newTicket();
	const { id, account_id, lease_id, fence, key_id, session_id } = channel;
	const opened = { ticket: hashOf(ticket), expires_at: timeIn(db, lifetime) };
	const { numUpdatedRows } = await db
		.updateTable('channels')
		.set({ ...opened, key_id, session_id })
		.where('id', '=', id)
		.where('account_id', '=', account_id)
		.where('lease_id', '=', lease_id)
		.where('fence', '=', fence)
		.where('expires_at', '>', timeIn(db))
		.executeTakeFirst();
	return numUpdatedRows > 0n ? { id, ticket } : undefined;
}

/** A ticket for the agent that serves the lease under this fence; undefined if there is no such channel. */
export async function storeAgentTicket(db: Db, { id, ...served }: FencedReport & { id: string }) {
	const ticket = newTicket();
	const { numUpdatedRows } = await db
		.updateTable('channels')
		.set({ agent_ticket: hashOf(ticket) })
		.where('id', '=', id)
		.where('fence', '=', served.fence)
		.where('expires_at', '>', timeIn(db))
		.where('lease_id', 'in', fencedLease(db, served).select('leases.id'))
		.executeTakeFirst();
	return numUpdatedRows > 0n ? ticket : undefined;
}

/** Uses up the ticket of a user, who brings the channel home. */
export function admitUser(db: Db, { id, ticket, ...home }: { id: string; ticket: string } & Home) {
	return db
		.updateTable('channels')
		.set({ ...home, ticket: null, expires_at: timeIn(db, lifetime) })
		.where('id', '=', id)
		.where('ticket', '=', hashOf(ticket))
		.where('expires_at', '>', timeIn(db))
		.returningAll()
		.executeTakeFirst();
}

/** The channel of an agent's ticket, which is used up if its home is here. */
export async function admitAgent(
	db: Db,
	{ id, ticket, home }: { id: string; ticket: string; home: string },
) {
	const found = await live(db)
		.selectAll()
		.where('id', '=', id)
		.where('agent_ticket', '=', hashOf(ticket))
		.executeTakeFirst();
	if (found?.home !== home) return found;
	const used = db
		.updateTable('channels')
		.set({ agent_ticket: null })
		.where('id', '=', id)
		.where('agent_ticket', '=', hashOf(ticket));
	return (await used.executeTakeFirst()).numUpdatedRows > 0n ? found : undefined;
}

/** The channels for an agent: those that a user has brought home. */
export function channelsOf(db: Db, leaseIds: readonly string[]) {
	return live(db)
		.innerJoin('leases', (join) =>
			join
				.onRef('leases.id', '=', 'channels.lease_id')
				.onRef('leases.fence', '=', 'channels.fence'),
		)
		.select(['channels.id', 'lease_id', 'kind', 'port'])
		.where('home', 'is not', null)
		.where('lease_id', 'in', leaseIds)
		.orderBy('channels.id')
		.execute();
}

/** Where the channel is at home. */
export function homeOf(db: Db, id: string) {
	return live(db).select(['home', 'home_url']).where('id', '=', id).executeTakeFirst();
}

export function extendChannels(db: Db, { home, ids }: { home: string; ids: readonly string[] }) {
	return db
		.updateTable('channels')
		.set({ expires_at: timeIn(db, lifetime) })
		.where('home', '=', home)
		.where('id', 'in', ids)
		.execute();
}

export function deleteChannel(db: Db, { id, home }: { id: string; home: string }) {
	return db.deleteFrom('channels').where('id', '=', id).where('home', '=', home).execute();
}

export function deleteOldChannels(db: Db) {
	return db.deleteFrom('channels').where('expires_at', '<=', timeIn(db)).execute();
}
