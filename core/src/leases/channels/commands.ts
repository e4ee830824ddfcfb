// Opens channels, admits their ends, and ends them.
import type { channelInput } from 'board-access-contract';
import type * as z from 'zod/mini';
import { boardChange } from '../../announcements.ts';
import type { Capabilities } from '../../boards/capabilities.ts';
import type { Core } from '../../core.ts';
import type { ChannelRow } from '../../database/schema.ts';
import { ApiError } from '../../errors.ts';
import type { Command } from '../../gate.ts';
import { newId } from '../../identifier.ts';
import { tooBusy } from '../../limits/limiter.ts';
import { invalid } from '../../validation.ts';
import { fenceOutdated } from '../fence.ts';
import { requireActive, requireDriven } from '../requirements.ts';
import { accessTo } from '../sharing/access.ts';
import {
	admitAgent,
	admitUser,
	countChannels,
	deleteChannel,
	type Home,
	reopenChannel,
	storeAgentTicket,
	storeChannel,
} from './store.ts';

type ChannelInput = z.output<typeof channelInput>;

/** More than any tools of one user need. */
const maxChannels = 16;

/** Opens a channel, or another connection of one that has lost its own, and returns a ticket for it. */
export const openChannel: Command<'openChannel'> = async (core, caller, { ids, input }) => {
	const { query } = core.database;
	const leaseId = ids.id;
	const { lease } = await accessTo(query, { ...caller, ...ids }, 'type');
	requireActive(lease);
	requirePort(await requireDriven(query, leaseId), input);
	const { kind, port = null, channel_id } = input;
	const channel = {
		id: channel_id ?? newId('chn'),
		lease_id: leaseId,
		fence: lease.fence ?? 0,
		kind,
		port,
		account_id: caller.accountId,
		key_id: caller.keyId ?? null,
		session_id: caller.sessionId ?? null,
	};
	if (channel_id !== undefined) {
		const opened = await reopenChannel(query, channel);
		if (!opened) throw new ApiError('channel_not_found', 'This channel has ended.');
		return opened;
	}
	if ((await countChannels(query, leaseId)).count >= maxChannels) {
		throw tooBusy(`${maxChannels} channels of this lease are already open`);
	}
	return storeChannel(query, channel);
};

function requirePort({ console, ports = [], debug }: Capabilities, { kind, port }: ChannelInput) {
	if (kind === 'debug' ? debug : port === undefined ? console : ports.includes(port)) return;
	if (kind === 'debug') throw invalid([{ path: 'kind', message: 'has no debugger on this board' }]);
	const known = ports.length > 0 ? `; it has ${ports.join(', ')}` : '';
	if (port === undefined) {
		throw invalid([{ path: 'kind', message: `has no console on this board${known}` }]);
	}
	throw invalid([{ path: 'port', message: `${port} is not a serial port of this board${known}` }]);
}

/** A ticket for the end of the agent. */
export async function openAgentEnd(core: Core, served: Parameters<typeof storeAgentTicket>[1]) {
	const ticket = await storeAgentTicket(core.database.query, served);
	if (ticket === undefined) throw fenceOutdated();
	return { ticket };
}

export interface Admission {
	/** `elsewhere`: an agent whose channel is at home on another replica. */
	role: 'user' | 'agent' | 'elsewhere';
	channel: ChannelRow;
}

/** Uses up a ticket; undefined if it is not valid. */
export async function admitToChannel(
	core: Core,
	given: { id: string; ticket: string } & Home,
): Promise<Admission | undefined> {
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
	await deleteChannel(core.database.query, { id, home: home ?? '' });
	await announceChannel(core, lease_id);
}

/** Tells the agent of the board. */
export async function announceChannel({ database, dispatch }: Core, leaseId: string) {
	const lease = database.query.selectFrom('leases').select('board_id').where('id', '=', leaseId);
	const { board_id } = (await lease.executeTakeFirst()) ?? {};
	if (board_id) await dispatch({ names: [boardChange(board_id)] });
}
