// The channels of leases. Each has its home on one replica, which passes the bytes on between the user and the agent.
import { hash, randomBytes } from 'node:crypto';
import type { channelInput } from 'board-access-contract';
import type * as z from 'zod/mini';
import { boardChange } from '../../announcements.ts';
import type { Capabilities } from '../../boards/capabilities.ts';
import type { Core } from '../../core.ts';
import { timeIn } from '../../database/clock.ts';
import type { ChannelRow, Db } from '../../database/schema.ts';
import { ApiError } from '../../errors.ts';
import type { Command } from '../../gate.ts';
import { newId } from '../../identifier.ts';
import { tooBusy } from '../../limits/limiter.ts';
import { invalid } from '../../validation.ts';
import { type FencedReport, fencedLease, fenceOutdated } from '../fence.ts';
import { requireActive, requireDriven } from '../requirements.ts';
import { accessTo } from '../sharing/access.ts';

/** How long a channel lives while no replica says that it does, in milliseconds. */
const lifetime = 30_000;

/** Who brings a ticket, to which replica, and where the others reach that. */
interface Attempt {
	id: string;
	ticket: string;
	home: string;
	home_url: string | null;
}

const newTicket = () => randomBytes(24).toString('hex');

/** Only the hash of a ticket is stored. */
const hashOf = (ticket: string) => hash('sha256', ticket);

const live = (db: Db) => db.selectFrom('channels').where('channels.expires_at', '>', timeIn(db));

/** Uses up the ticket of a user, who brings the channel home. */
function admitUser(db: Db, { id, ticket, ...home }: Attempt) {
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
async function admitAgent(db: Db, { id, ticket, home }: Attempt) {
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

export function deleteOldChannels(db: Db) {
	return db.deleteFrom('channels').where('expires_at', '<=', timeIn(db)).execute();
}

type ChannelInput = z.output<typeof channelInput>;

/** More than any tools of one user need. */
const maxChannels = 16;

/** Opens a channel, or another connection of one that has lost its own, and returns a ticket for it. */
export const openChannel: Command<'openChannel'> = async (core, caller, { ids, input }) => {
	const { query } = core.database;
	const { lease } = await accessTo(query, { ...caller, ...ids }, 'type');
	requireActive(lease);
	requirePort(await requireDriven(query, lease.id), input);
	const { kind, port = null, channel_id, channel_id: id = newId('chn') } = input;
	const channel = { id, account_id: caller.accountId, lease_id: lease.id, fence: lease.fence ?? 0 };
	const ticket = newTicket();
	const opened = {
		key_id: caller.keyId ?? null,
		session_id: caller.sessionId ?? null,
		ticket: hashOf(ticket),
		expires_at: timeIn(query, lifetime),
	};
	if (channel_id === undefined) {
		await limitChannels(query, lease.id);
		const row = { ...channel, ...opened, kind, port };
		await query.insertInto('channels').values(row).execute();
		return { id, ticket };
	}
	const { numUpdatedRows } = await query
		.updateTable('channels')
		.set(opened)
		.where(({ and }) => and(channel))
		.where('expires_at', '>', timeIn(query))
		.executeTakeFirst();
	if (numUpdatedRows > 0n) return { id, ticket };
	throw new ApiError('channel_not_found', 'This channel has ended.');
};

async function limitChannels(db: Db, leaseId: string) {
	const { count } = await live(db)
		.select((eb) => eb.fn.countAll<number>().as('count'))
		.where('lease_id', '=', leaseId)
		.executeTakeFirstOrThrow();
	if (count >= maxChannels) throw tooBusy(`${maxChannels} channels of this lease are already open`);
}

function requirePort({ console, ports = [], debug }: Capabilities, { kind, port }: ChannelInput) {
	if (kind === 'debug' ? debug : port === undefined ? console : ports.includes(port)) return;
	if (kind === 'debug') throw invalid([{ path: 'kind', message: 'has no debugger on this board' }]);
	const known = ports.length > 0 ? `; it has ${ports.join(', ')}` : '';
	if (port === undefined) {
		throw invalid([{ path: 'kind', message: `has no console on this board${known}` }]);
	}
	throw invalid([{ path: 'port', message: `${port} is not a serial port of this board${known}` }]);
}

/** A ticket for the agent that serves the lease under this fence. */
export async function openAgentEnd(
	{ database: { query } }: Core,
	{ id, ...served }: FencedReport & { id: string },
) {
	const ticket = newTicket();
	const { numUpdatedRows } = await query
		.updateTable('channels')
		.set({ agent_ticket: hashOf(ticket) })
		.where('id', '=', id)
		.where('fence', '=', served.fence)
		.where('expires_at', '>', timeIn(query))
		.where('lease_id', 'in', fencedLease(query, served).select('leases.id'))
		.executeTakeFirst();
	if (numUpdatedRows === 0n) throw fenceOutdated();
	return { ticket };
}

export interface Admission {
	/** `elsewhere`: an agent whose channel is at home on another replica. */
	role: 'user' | 'agent' | 'elsewhere';
	channel: ChannelRow;
}

/** Uses up a ticket; undefined if it is not valid. */
export async function admitToChannel(core: Core, given: Attempt): Promise<Admission | undefined> {
	const { query } = core.database;
	const user = await admitUser(query, given);
	if (user) {
		await announceChannel(core, user.lease_id);
		return { role: 'user', channel: user };
	}
	const agent = await admitAgent(query, given);
	return agent && { role: agent.home === given.home ? 'agent' : 'elsewhere', channel: agent };
}

/** Ends a channel that is at home here. */
export async function endChannel(core: Core, { id, lease_id, home }: ChannelRow) {
	const channel = core.database.query.deleteFrom('channels').where('id', '=', id);
	await channel.where('home', '=', home).execute();
	await announceChannel(core, lease_id);
}

/** Tells the agent of the board. */
export async function announceChannel({ database, dispatch }: Core, leaseId: string) {
	const lease = database.query.selectFrom('leases').select('board_id').where('id', '=', leaseId);
	const { board_id } = (await lease.executeTakeFirst()) ?? {};
	if (board_id) await dispatch({ names: [boardChange(board_id)] });
}
