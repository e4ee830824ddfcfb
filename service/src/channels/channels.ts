// The channels that are at home on this replica: frames are passed on between the user and the agent, and none is kept.
import { randomUUID } from 'node:crypto';
import { channelWindow, endingIn, type Frame, frameOf, messageFrame } from 'board-access-contract';
import {
	type Admission,
	ApiError,
	admitToChannel,
	announceChannel,
	type Core,
	endChannel,
	extendChannels,
	judgeChannels,
	leaseChange,
	useLease,
} from 'board-access-core';
import type { Limits } from 'board-access-http/limits/rate-limits';

export interface Connection {
	send(frame: Frame): void;
	close(): void;
	/** How many bytes the peer has yet to read. */
	readonly unread: number;
}

/** What the connection of an end calls. */
export interface Attachment {
	receive(frame: Frame): void;
	/** The connection is gone. */
	detach(): void;
}

interface Attempt {
	id: string;
	ticket: string;
	/** The network that it comes from. */
	network: string;
	connection: Connection;
}

type Role = 'user' | 'agent';
type Row = Admission['channel'];
type Ending = { code: string; message: string };

const otherRole = { user: 'agent', agent: 'user' } as const;

const sweepTime = 1_000;
const extendTime = 10_000;
const pingTime = 15_000;
/** A connection that was silent for this time is gone. */
const maxSilence = 40_000;
/** How long one end waits for the other: for the agent at first, which may have to start a debugger. */
const maxGap = { first: 60_000, later: 15_000 };
/** Bytes of the window, and as much again for what is around them. A peer that leaves more unread does not read. */
const maxUnread = 2 * channelWindow;

export type Channels = ReturnType<typeof createChannels>;

export function createChannels(
	core: Core,
	limits: Pick<Limits, 'channel' | 'rejectedKey' | 'unauthenticated'>,
) {
	const home = randomUUID();
	const open = new Map<string, HomeChannel>();

	const judge = async (channels: readonly HomeChannel[]) => {
		const ids = channels.map(({ row }) => row.id);
		const judged = await judgeChannels(core.database.query, { home, ids });
		for (const channel of channels) {
			const { id } = channel.row;
			// Its user has connected elsewhere.
			if (!judged.has(id)) channel.leave();
			const ending = judged.get(id) ?? channel.overdue();
			if (ending) channel.end(ending);
		}
	};

	let extendedAt = 0;
	const sweep = async () => {
		if (open.size === 0) return;
		await judge([...open.values()]);
		for (const channel of open.values()) channel.beat();
		if (open.size === 0 || performance.now() - extendedAt < extendTime) return;
		extendedAt = performance.now();
		await extendChannels(core.database.query, { home, ids: [...open.keys()] });
	};
	// The database is asked again the next time.
	const timer = setInterval(() => sweep().catch(() => {}), sweepTime);
	timer.unref();

	/** The account may have too many streams. */
	const begin = (row: Row) => {
		try {
			return limits.channel(row.account_id);
		} catch (error) {
			endChannel(core, row).catch(() => {}); // it ends by itself
			throw error;
		}
	};

	return {
		/** Attaches the connection to the channel of the ticket, or says where that is at home. */
		async attach({ id, ticket, network, connection }: Attempt) {
			await limits.unauthenticated(network);
			const home_url = core.settings.replicaUrl ?? null;
			const admission = await admitToChannel(core, { id, ticket, home, home_url });
			if (!admission) {
				await limits.rejectedKey(network);
				throw new ApiError('ticket_invalid', 'The ticket is not valid.');
			}
			const { role, channel: row } = admission;
			if (role === 'elsewhere') return { elsewhere: elsewhere(row.home_url) };
			let channel = open.get(id);
			if (!channel) {
				const release = begin(row);
				const left = () => {
					open.delete(id);
					release();
				};
				channel = new HomeChannel(core, row, { judge, left });
				open.set(id, channel);
			}
			return { attachment: channel.attach(role, connection) };
		},
		/** The address of another replica; throws if it has none. */
		elsewhere,
		isHome: (other: string | null) => other === home,
		/** Ends the connections: the ends connect again, to another replica. */
		close() {
			clearInterval(timer);
			for (const channel of open.values()) channel.leave();
		},
	};
}

function elsewhere(url: string | null): string {
	if (url) return url;
	throw new ApiError('channel_elsewhere', 'The channel is at home on another replica.', {
		hint: 'Set REPLICA_URL for each replica, so that they reach each other.',
	});
}

interface Owner {
	left(): void;
	judge(channels: readonly HomeChannel[]): Promise<void>;
}

interface End {
	connection: Connection | undefined;
	heardAt: number;
	lostAt: number;
	/** Up to which offset it has sent, and the other end has taken. */
	sent: number;
	taken: number;
}

class HomeChannel {
	readonly row: Row;
	readonly #core: Core;
	readonly #owner: Owner;
	readonly #ends: Record<Role, End> = { user: newEnd(), agent: newEnd() };
	readonly #over = new AbortController();
	#pingedAt = performance.now();
	#wasAttached = false;
	#isUsed = false;

	constructor(core: Core, row: Row, owner: Owner) {
		this.#core = core;
		this.row = row;
		this.#owner = owner;
		core.log.info({ channel: row.id, lease: row.lease_id, kind: row.kind }, 'A channel opened');
		this.#watch().catch(() => {}); // the sweep finds out, too
	}

	attach(role: Role, connection: Connection): Attachment {
		const end = this.#ends[role];
		end.connection?.close();
		end.connection = connection;
		end.heardAt = performance.now();
		connection.send(frameOf('open'));
		const { user, agent } = this.#ends;
		if (user.connection && agent.connection) {
			this.#wasAttached = true;
			for (const each of [user, agent]) each.connection?.send(frameOf('attached'));
		}
		return {
			receive: (frame) => {
				if (end.connection !== connection) return;
				end.heardAt = performance.now();
				this.#pass(role, frame);
			},
			detach: () => {
				if (end.connection !== connection) return;
				end.connection = undefined;
				end.lostAt = performance.now();
			},
		};
	}

	/** Why it cannot go on; undefined while it can. */
	overdue(): Ending | undefined {
		const gap = this.#wasAttached ? maxGap.later : maxGap.first;
		const isLate = ({ connection, lostAt }: End) => !connection && performance.now() - lostAt > gap;
		if (isLate(this.#ends.agent)) return agentLost;
		return isLate(this.#ends.user) ? userLost : undefined;
	}

	/** Shows both ends that the channel is alive, and closes connections that show nothing. */
	beat() {
		const now = performance.now();
		const { user, agent } = this.#ends;
		// The agent may not have been told.
		if (user.connection && !agent.connection) {
			announceChannel(this.#core, this.row.lease_id).catch(() => {});
		}
		const isDue = now - this.#pingedAt >= pingTime;
		if (isDue) this.#pingedAt = now;
		for (const { connection, heardAt } of [user, agent]) {
			if (now - heardAt > maxSilence) connection?.close();
			else if (isDue) connection?.send(frameOf('ping'));
		}
	}

	end(ending: Ending, told: readonly Role[] = ['user', 'agent']) {
		if (this.#over.signal.aborted) return;
		for (const role of told) this.#ends[role].connection?.send(messageFrame('end', ending));
		this.leave();
		const { id: channel, lease_id: lease } = this.row;
		this.#core.log.info({ channel, lease, code: ending.code }, 'A channel ended');
		// It ends by itself if the database is away.
		endChannel(this.#core, this.row).catch(() => {});
	}

	/** Closes the connections, and nothing else. */
	leave() {
		if (this.#over.signal.aborted) return;
		this.#over.abort();
		this.#owner.left();
		for (const { connection } of Object.values(this.#ends)) connection?.close();
	}

	#pass(role: Role, frame: Frame) {
		const { type, offset } = frame;
		const [from, to] = [this.#ends[role], this.#ends[otherRole[role]]];
		if (type === 'ping') return;
		if (type === 'end') {
			// What a user says is not for the log of the agent.
			return this.end(role === 'agent' ? endingIn(frame) : closed, [otherRole[role]]);
		}
		if (type === 'data' || type === 'control') {
			from.sent = Math.max(from.sent, offset + frame.payload.length);
			if (from.sent - from.taken > channelWindow) return this.end(flooded);
			if (role === 'user' && type === 'data') this.#use();
		} else if (type === 'ack') {
			if (offset > to.sent) return this.end(flooded);
			to.taken = Math.max(to.taken, offset);
		} else if (type === 'resume') {
			// What passed through another replica before.
			to.sent = Math.max(to.sent, offset);
			to.taken = Math.max(to.taken, offset);
		} else return from.connection?.close();
		if (!to.connection) return;
		if (to.connection.unread > maxUnread) return to.connection.close();
		to.connection.send(frame);
	}

	/** The first use begins the minutes of the lease, as typing does. */
	#use() {
		if (this.#isUsed) return;
		this.#isUsed = true;
		useLease(this.#core, this.row.lease_id).catch(() => {
			this.#isUsed = false;
		});
	}

	/** Ends it at once with its lease or its share. */
	async #watch() {
		const { signal } = this.#over;
		using watch = this.#core.wake.watch([leaseChange(this.row.lease_id)]);
		while (!signal.aborted) {
			await watch.changed({ signal });
			if (!signal.aborted) await this.#owner.judge([this]);
		}
	}
}

function newEnd(): End {
	const now = performance.now();
	return { connection: undefined, heardAt: now, lostAt: now, sent: 0, taken: 0 };
}

const closed = { code: 'closed', message: 'The user has closed the channel' };
const flooded = { code: 'overrun', message: 'More was sent than there is room for' };
const userLost = { code: 'connection_lost', message: 'The user was away for too long' };
const agentLost = {
	code: 'agent_lost',
	message:
		'The agent of the board did not connect to the channel. If the service has several replicas, each needs REPLICA_URL',
};
