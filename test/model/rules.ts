// The rules for every history. They see what was committed, what the boards did and what the
// users were told.
import type { Row, RowChange } from './database.ts';
import type { BoardSession, Witness } from './hardware.ts';
import type { Moment } from './plan.ts';
import { ConsoleRules } from './rules/console.ts';
import { Costs } from './rules/costs.ts';
import { Minutes } from './rules/minutes.ts';
import { Operated } from './rules/operated.ts';
import { Pins } from './rules/pins.ts';
import { Sharing } from './rules/sharing.ts';
import { Verdicts } from './rules/verdicts.ts';
import { type Current, type Watcher, Watching } from './rules/watching.ts';
import type { Process, Simulation } from './simulation.ts';
import type { Troubles } from './troubles.ts';

export interface Violation {
	rule: string;
	what: string;
	at: number;
}

/** A lease as the service has committed it, and what has happened to it. */
export interface KnownLease {
	row: LeaseRow;
	/** The most that its account agreed to pay a minute. */
	accepted: number;
	/** When it was created and when it ended, in virtual time. */
	createdAt: number;
	endedAt: number | undefined;
	grantedAt: number | undefined;
	/** When its minutes began, in virtual time. */
	activeAt: number | undefined;
	/** Since when it waits although a board is free for it. */
	freeSince: number | undefined;
	/** A backup was restored while it existed: what was told before may be gone. */
	restored: boolean;
	/** How often each action was begun on a board, while the lease was active. */
	acted: Map<string, number>;
	/** Since when it has its status. */
	since: number;
	/** The highest number of what each writer typed, as the board has seen it. */
	typed: Map<string, number>;
	failures: number;
	/** Whether anything was wrong with its board. */
	isFaulty: boolean;
}

export interface Waits {
	count: number;
	sum: number;
	longest: number;
}

interface LeaseRow extends Row {
	id: string;
	group_id: string | null;
	role: string | null;
	account_id: string;
	board_type: string;
	wanted_board_id: string | null;
	board_id: string | null;
	label: string | null;
	status: 'queued' | 'preparing' | 'active' | 'ended';
	minutes: number;
	fence: number | null;
	credits_per_minute: number;
	held_credits: number;
	credits: number | null;
	created_at: string;
	/** Its place in the queue. */
	rank: number;
	queued_until: string;
	started_at: string | null;
	expires_at: string | null;
	ended_at: string | null;
	end_reason: string | null;
}

interface BoardRow extends Row {
	id: string;
	board_type: string;
	status: string;
	credits_per_minute: number;
	agent_id: string | null;
	fence: number;
	lease_id: string | null;
}

/** One request of a user to the client, and how it ended. */
export interface Call {
	process: Process;
	name: string;
	at: number;
	/** When it has to have ended, if it has a limit of its own. */
	limit: number | undefined;
	settledAt: number | undefined;
}

/** What the object of the client says of a lease. */
export interface Belief {
	process: Process;
	lease: { id: string; status?: string | null };
	minutes: number;
	renews: boolean;
}

interface FailedCreation {
	process: Process;
	at: number;
	/** After an abort, the release is tried only briefly; then the lease ends because it is not renewed. */
	grace: number;
}

const seconds = 1_000;
/** An agent notices a broken connection and connects again within this time. */
const agentDelay = 30 * seconds;

export class Rules implements Witness {
	readonly violations: Violation[] = [];
	readonly leases = new Map<string, KnownLease>();
	readonly boards = new Map<string, BoardRow>();
	restoredAt = Number.NEGATIVE_INFINITY;
	/** Called when something happens that a trouble may wait for. */
	onMoment: (moment: Moment) => void = () => {};
	/** Whether the database has output of a lease between two offsets. */
	keepsOutput: (lease: string, from: number, to: number) => boolean = () => false;
	/** What the database says that somebody with this address may do. */
	accessOf: (lease: string, email: string) => string | null = () => null;
	/** When each agent that drives boards was heard from last. */
	readonly #heard = new Map<string, string | null>();
	calls: Call[] = [];
	beliefs: Belief[] = [];
	/** The leases that have ended, and what they have cost. */
	tally = { ended: 0, credits: 0 };
	readonly verdicts: Verdicts;
	/** For how long the leases of each account have waited for a board, in milliseconds. */
	readonly waits = new Map<string, Waits>();
	readonly costs: Costs;
	readonly console: ConsoleRules;
	readonly pins: Pins;
	readonly sharing: Sharing;
	readonly watching: Watching;
	readonly operated: Operated;
	/** Labels of creations that failed. */
	readonly failedCreations = new Map<string, FailedCreation>();
	/** Leases whose renewal the account could not pay. */
	readonly outOfCredits = new Set<string>();
	/** Leases that their users wanted to end. */
	readonly givenBack = new Set<string>();
	/** How many of each action a user has requested and got, by lease and action. */
	readonly requested = new Map<string, { calls: number; done: number }>();
	/** The numbers of the written units that were confirmed, by label. */
	readonly confirmed = new Map<string, Set<number>>();
	readonly #minutes: Minutes;
	readonly #simulation: Simulation;
	readonly #troubles: Troubles;
	readonly #actions = new Map<string, { lease: string; action: string; phase: string }>();
	readonly #credits = new Map<string, number>();
	readonly #booked = new Map<string, number>();
	readonly #byFence = new Map<string, string>();
	/** The lease of each session when it began: after a restored backup, another one gets its fence. */
	readonly #sessions = new Map<string, { session: BoardSession; lease: string | undefined }>();
	readonly #notOpened = new Set<string>();
	/** Leases that are younger than a backup do not exist any more. */
	#hasRestored = false;
	readonly #boardFailures = new Map<string, number>();
	readonly #labels = new Map<string, string>();

	constructor(simulation: Simulation, troubles: Troubles) {
		this.#simulation = simulation;
		this.#troubles = troubles;
		this.#minutes = new Minutes(simulation);
		this.costs = new Costs(simulation, troubles);
		const isRestored = (lease: string) => this.leases.get(lease)?.restored ?? true;
		this.console = new ConsoleRules({
			now: () => simulation.now,
			violated: (what) => this.violated('every byte is read, or marked', what),
			sessions: (lease, fence) => this.#sessionsOf(lease).filter((each) => each.fence === fence),
			keeps: (lease, from, to) =>
				!this.leases.get(lease)?.restored && this.keepsOutput(lease, from, to),
			isShared: (lease, email, span) => this.sharing.had({ lease, email }, 'look', span),
			isRestored,
		});
		const violated = (rule: string, what: string) => this.violated(rule, what);
		this.pins = new Pins({ simulation, violated });
		this.verdicts = new Verdicts(violated);
		this.sharing = new Sharing({
			simulation,
			violated,
			accessOf: (lease, email) => this.accessOf(lease, email),
			isRestored,
		});
		this.operated = new Operated({
			violated,
			agentOf: (board) => troubles.agentOf(board),
			usedBoards: () => this.#usedBoards(),
			hasRestored: () => this.#hasRestored,
		});
		this.watching = new Watching({
			now: () => simulation.now,
			violated: (what) => violated('who watches knows what is so', what),
			quietFor: ({ name }) => troubles.quietFor(name),
			current: (watcher) => this.#currentOf(watcher),
		});
	}

	violated(rule: string, what: string) {
		this.#simulation.note(`VIOLATION ${rule}: ${what}`);
		this.violations.push({ rule, what, at: this.#simulation.now });
	}

	/** What was committed, in its order. */
	committed(changes: readonly RowChange[]) {
		for (const { table, row } of changes) {
			// The triggers send whole rows of the tables.
			if (table === 'leases') this.#leaseChanged(row as LeaseRow);
			else if (table === 'boards') this.#boardChanged(row as BoardRow);
			else if (table === 'lease_actions') this.#actionChanged(row);
			else if (table === 'credit_entries') this.#booking(row);
			else
				this.#heard.set(
					String(row.id),
					row.last_seen_at === null ? null : String(row.last_seen_at),
				);
		}
		for (const { table, row } of changes) {
			if (table === 'leases') this.#checkGroup(row as LeaseRow);
		}
	}

	/** The leases of a group wait, are active, are renewed and end together. */
	#checkGroup(row: LeaseRow) {
		for (const { row: other } of this.leases.values()) {
			if (!isTogether(row, other) || row.id === other.id) continue;
			const now = this.leases.get(row.id)?.row ?? row;
			if (now.status === other.status && now.expires_at === other.expires_at) continue;
			const states = [now, other].map((each) => `${each.id} ${each.status} ${each.expires_at}`);
			this.violated('a group is one', states.join(', '));
		}
	}

	/** Starts again from the rows as they are now. */
	load({ leases, boards, entries }: { leases: Row[]; boards: Row[]; entries: Row[] }) {
		const known = new Map(this.leases);
		this.#hasRestored = known.size > 0;
		this.leases.clear();
		this.boards.clear();
		this.#credits.clear();
		this.#booked.clear();
		for (const row of boards) this.boards.set(String(row.id), row as BoardRow);
		for (const row of entries) this.#booking(row);
		for (const row of leases as LeaseRow[]) {
			const before = known.get(row.id);
			this.leases.set(row.id, {
				...(before ?? this.#newLease(row)),
				row,
				since: this.#simulation.now,
				endedAt: row.status === 'ended' ? (before?.endedAt ?? this.#simulation.now) : undefined,
				activeAt: row.started_at === null ? undefined : this.#simulation.timeOf(row.started_at),
				restored: true,
			});
			this.#noteFence(row);
		}
		this.pins.forgetAll();
		// What was confirmed after the backup may be gone.
		for (const numbers of this.confirmed.values()) numbers.clear();
		for (const counts of this.requested.values()) counts.done = 0;
		for (const [label, id] of this.#labels) if (!this.leases.has(id)) this.#labels.delete(label);
		if (this.#hasRestored) this.restoredAt = this.#simulation.now;
	}

	leaseOfLabel(label: string) {
		const id = this.#labels.get(label);
		return id === undefined ? undefined : this.leases.get(id);
	}

	/** The lease that has, or had, a board when a session had it open. */
	leaseOfSession(board: string, session: number) {
		return this.#sessions.get(`${board}:${session}`)?.lease;
	}

	/** The last session that had the board of the lease open for it. */
	sessionOf(leaseId: string) {
		return this.#sessionsOf(leaseId).at(-1);
	}

	#sessionsOf(leaseId: string) {
		return [...this.#sessions.values()].flatMap(({ lease, session }) =>
			lease === leaseId ? [session] : [],
		);
	}

	opened(session: BoardSession) {
		this.#simulation.note(
			`${session.board} opened, session ${session.number}, fence ${session.fence}`,
		);
		const { board, number, fence } = session;
		const lease = this.#byFence.get(`${board} ${fence}`);
		this.#sessions.set(`${board}:${number}`, { session, lease });
	}

	closed(session: BoardSession) {
		this.#simulation.note(`${session.board} closed, session ${session.number}`);
	}

	/** Another agent with the token of this one was let in. */
	twinConnected(agent: string) {
		if (this.#troubles.isSteady(agent)) {
			this.violated(
				'the first agent keeps the boards',
				`${agent} is there, and another one is let in`,
			);
		}
		this.#troubles.replaced(agent);
	}

	/** The hardware refused to be opened for this fence. */
	notOpened(board: string, fence: number) {
		this.#countFailure(board);
		this.#notOpened.add(`${board} ${fence}`);
	}

	acted(session: BoardSession, action: string, firmware: string | undefined) {
		this.#simulation.note(`${session.board} ${action} ${firmware ?? ''}`);
		this.onMoment('acted');
		const lease = this.#holder(session, action);
		if (!lease) return;
		if (lease.row.status === 'active' && lease.row.fence === session.fence) {
			lease.acted.set(action, (lease.acted.get(action) ?? 0) + 1);
		}
		if (firmware === undefined || firmware.startsWith('base-')) return;
		const owner = this.leaseOfLabel(firmware.split('/')[0] ?? '');
		if (owner !== lease) {
			this.violated('nothing of an old lease', `${firmware} is flashed for ${lease.row.id}`);
		}
	}

	failed(session: BoardSession, action: string) {
		this.#simulation.note(`${session.board} ${action} failed`);
		this.#countFailure(session.board);
		const lease = this.#holder(session, action);
		if (lease) lease.failures += 1;
	}

	faulty({ board, fence }: BoardSession) {
		const lease = this.leases.get(this.#byFence.get(`${board} ${fence}`) ?? '');
		if (lease) lease.isFaulty = true;
	}

	#countFailure(board: string) {
		this.#boardFailures.set(board, (this.#boardFailures.get(board) ?? 0) + 1);
	}

	typed(session: BoardSession, unit: string) {
		// The end of a unit of which only a part was sent.
		if (!/^[^/]+\/\d+$/.test(unit)) return;
		const [writer = '', text = ''] = unit.split('/');
		// A colleague adds its own name.
		const lease = this.leaseOfLabel(writer.split('+')[0] ?? '');
		const holder = this.#holder(session, 'input');
		if (this.#hasRestored && (!lease || !holder)) return;
		if (!lease || lease !== holder) {
			this.violated(
				'nothing of an old lease',
				`input ${unit} reaches session ${session.number} of ${session.board}`,
			);
			return;
		}
		const number = Number(text);
		const last = lease.typed.get(writer) ?? -1;
		if (number <= last) {
			this.violated('every change once', `input ${unit} is typed after ${last}`);
			return;
		}
		for (let missed = last + 1; missed < number; missed++) {
			if (!this.confirmed.get(writer)?.has(missed)) continue;
			this.violated(
				'nothing is lost',
				`input ${writer}/${missed} was confirmed and is missing before ${number}`,
			);
		}
		lease.typed.set(writer, number);
	}

	driven(session: BoardSession) {
		const lease = this.leaseOfSession(session.board, session.number);
		this.pins.driven(session, lease);
	}

	/** Whether something is due that the services have to notice by themselves. */
	isDue(time: number) {
		const now = new Date(time).toISOString();
		const agentsDue = new Date(time - agentDelay).toISOString();
		const passed = (moment: string | number | null | undefined) =>
			typeof moment === 'string' && moment <= now;
		return (
			[...this.leases.values()].some(
				({ row }) =>
					row.status !== 'ended' &&
					(passed(row.expires_at) ||
						passed(row.preparation_expires_at) ||
						(row.status === 'queued' && passed(row.queued_until))),
			) ||
			[...this.boards.values()].some(({ resting_until: moment }) => passed(moment)) ||
			[...this.#heard.values()].some((heard) => heard === null || heard <= agentsDue)
		);
	}

	/** What is looked at once a second. */
	watch(held: (board: string) => BoardSession | undefined) {
		for (const lease of this.leases.values()) {
			if (lease.row.status === 'queued') this.#checkWaiting(lease);
			if (lease.row.status === 'preparing' || lease.row.status === 'active') {
				this.#checkServed(lease, held);
			}
			if (lease.row.status === 'active') this.#checkEnd(lease);
		}
		this.sharing.watch();
		this.watching.watch();
		for (const belief of this.beliefs) this.#checkBelief(belief);
		for (const call of this.calls) this.#checkLimit(call);
		for (const [label, failure] of this.failedCreations) this.#checkFailedCreation(label, failure);
	}

	#checkEnd(lease: KnownLease) {
		if (lease.restored || !this.#minutes.isTooLate(lease.row.id)) return;
		if (this.#troubles.servicesQuietFor() < 120 * seconds) return;
		this.violated('minutes are real', `${lease.row.id} is active after its end`);
		lease.restored = true;
	}

	/** Whether a call goes on, or a belief is still out of date, so that it is worth to wait. */
	get isUnsettled() {
		return (
			this.failedCreations.size > 0 ||
			this.calls.some(({ process, settledAt }) => process.alive && settledAt === undefined) ||
			this.beliefs.some(
				({ process, lease, renews }) =>
					process.alive &&
					renews &&
					lease.status !== 'ended' &&
					this.leases.get(lease.id)?.row.status === 'ended',
			)
		);
	}

	/** What must hold when all is over. */
	finish() {
		this.console.check();
		for (const { id, status } of this.boards.values()) {
			if (status !== 'maintenance' || (this.#boardFailures.get(id) ?? 0) >= 2) continue;
			this.violated('an agent that fails does not blame the board', `${id} is in maintenance`);
		}
		for (const call of this.calls) {
			if (call.settledAt === undefined && call.process.alive) {
				this.violated(
					'every promise settles',
					`${call.process.name}: ${call.name} since ${call.at}`,
				);
			}
		}
		for (const lease of this.leases.values()) {
			if (lease.row.status !== 'ended') {
				this.violated('every lease ends', `${lease.row.id} is ${lease.row.status}`);
			}
			this.#checkEnded(lease);
		}
	}

	/** Checks the leases that were over by then, and forgets them. */
	forget(before: number) {
		const over = [...this.leases.values()].filter(
			({ endedAt = Number.POSITIVE_INFINITY }) => endedAt < before,
		);
		this.calls = this.calls.filter(
			({ process, settledAt }) => process.alive && settledAt === undefined,
		);
		if (over.length === 0) return;
		const ids = new Set(over.map(({ row }) => row.id));
		this.console.check(ids);
		for (const lease of over) {
			this.#checkEnded(lease);
			this.#forget(lease.row);
		}
		this.beliefs = this.beliefs.filter(({ lease }) => !ids.has(lease.id));
		deleteWhere(this.#labels, (_, id) => ids.has(id));
		deleteWhere(this.#actions, (_, { lease }) => ids.has(lease));
		deleteWhere(this.#byFence, (_, id) => ids.has(id));
		deleteWhere(
			this.#sessions,
			(_, { session, lease }) => session.closed && (lease === undefined || ids.has(lease)),
		);
	}

	#forget({ id, label, board_id, fence }: LeaseRow) {
		this.leases.delete(id);
		for (const known of [this.outOfCredits, this.givenBack, this.#booked]) known.delete(id);
		for (const rule of [this.#minutes, this.pins, this.sharing]) rule.forget(id);
		this.#notOpened.delete(`${board_id} ${fence}`);
		deleteWhere(this.requested, (name) => name.startsWith(`${label} `));
		deleteWhere(this.confirmed, (name) => name.split('+')[0] === label);
	}

	#checkEnded(lease: KnownLease) {
		this.#checkActions(lease);
		const { id, credits } = lease.row;
		const booked = this.#booked.get(id) ?? 0;
		if (!lease.restored && (credits ?? 0) !== booked) {
			this.violated('credits add up', `${id} costs ${credits}, booked are ${booked}`);
		}
	}

	#leaseChanged(row: LeaseRow) {
		const known = this.leases.get(row.id);
		if (!known) {
			const lease = this.#newLease(row);
			if (row.rank !== this.#rankOf(row)) {
				this.violated('the queue is strict', `${row.id} has the place ${row.rank}`);
			}
			const label = row.label ?? '';
			if (row.role !== 'peer') {
				if (this.#labels.has(label)) this.violated('every change once', `two leases for ${label}`);
				this.#labels.set(label, row.id);
			}
			this.#simulation.note(`lease ${row.id} ${row.status} for ${label}`);
			if (row.board_id !== null) this.#granted(lease);
			this.leases.set(row.id, lease);
			if (row.status === 'active') this.#minutes.changed(row);
			this.#noteFence(row);
			return;
		}
		const before = known.row;
		if (before.rank !== row.rank) this.violated('the queue is strict', `${row.id} lost its place`);
		if (before.status !== row.status) this.#statusChanged(known, row);
		if (
			row.status === 'active' &&
			(before.status !== 'active' || before.expires_at !== row.expires_at)
		)
			this.#minutes.changed(row);
		known.row = row;
		this.#noteFence(row);
	}

	#statusChanged(lease: KnownLease, row: LeaseRow) {
		const { status: before } = lease.row;
		lease.since = this.#simulation.now;
		if (row.status === 'active' || row.status === 'ended') this.onMoment(row.status);
		if (row.status === 'active') lease.activeAt = this.#simulation.now;
		this.#simulation.note(
			`lease ${row.id} ${row.status} ${row.end_reason ?? ''} ${row.board_id ?? ''}`,
		);
		const allowed = {
			queued: ['preparing', 'active', 'ended'],
			preparing: ['queued', 'active', 'ended'],
			active: ['ended'],
			ended: [] as string[],
		};
		if (!allowed[before].includes(row.status)) {
			this.violated('statuses in order', `${row.id} goes from ${before} to ${row.status}`);
		}
		if (before === 'queued' && row.board_id !== null && row.status !== 'ended') {
			this.#granted({ ...lease, row });
			this.#noteWait(row.account_id, this.#simulation.now - lease.createdAt);
			lease.grantedAt = this.#simulation.now;
			lease.freeSince = undefined;
		}
		// After a restored backup, a lease whose user has typed may be prepared again.
		if (row.status === 'queued') lease.typed.clear();
		if (row.status === 'ended') this.#ended(lease, row);
	}

	#noteWait(account: string, waited: number) {
		const { count, sum, longest } = this.waits.get(account) ?? { count: 0, sum: 0, longest: 0 };
		this.waits.set(account, {
			count: count + 1,
			sum: sum + waited,
			longest: Math.max(longest, waited),
		});
	}

	/** Nobody else holds the board, and none of those who come first needs it. */
	#granted(lease: KnownLease) {
		this.onMoment('granted');
		const { row, accepted } = lease;
		const { board_id: board } = row;
		if (board !== null) this.operated.granted(board, row.id);
		const isHeld = ({ row: other }: KnownLease) =>
			other.id !== row.id &&
			other.board_id === board &&
			(other.status === 'preparing' || other.status === 'active');
		for (const other of this.leases.values()) {
			if (isHeld(other))
				this.violated('one holder', `${row.id} gets ${board}, which ${other.row.id} has`);
		}
		const price = this.boards.get(board ?? '')?.credits_per_minute ?? 0;
		if (price > accepted || row.credits_per_minute > accepted) {
			this.violated('credits add up', `${row.id} pays ${price}, and accepted ${accepted}`);
		}
		const now = this.#simulation.timestamp();
		const before = [...this.leases.values()].filter(
			(other) =>
				!isTogether(other.row, row) &&
				other.row.status === 'queued' &&
				// Past that, its wait is over, and it is about to be told.
				other.row.queued_until > now &&
				isBefore(other, lease) &&
				this.#canBeComplete(other),
		);
		const free = [...this.boards.values()].filter(
			({ id, status }) => status === 'available' && id !== board,
		);
		const granted = this.boards.get(board ?? '');
		if (granted && this.#served(before, free) < this.#served(before, [...free, granted])) {
			this.violated('the queue is strict', `${row.id} gets ${board}, for which others wait`);
		}
	}

	/** A group for which there are too few boards in service keeps none. */
	#canBeComplete({ row }: KnownLease) {
		const group = [...this.leases.values()].filter((other) => isTogether(other.row, row));
		const inService = [...this.boards.values()].filter(
			({ status }) => status !== 'offline' && status !== 'maintenance',
		);
		return row.group_id === null || this.#served(group, inService) === group.length;
	}

	/** How many of these requests can have one of the boards at the same time. */
	#served(leases: readonly KnownLease[], boards: readonly BoardRow[]): number {
		const taken = new Map<BoardRow, KnownLease>();
		// A board that is taken can be had if its lease can have another one.
		const find = (lease: KnownLease, tried: Set<BoardRow>): boolean =>
			boards.some((board) => {
				if (tried.has(board) || !this.#fits(lease, board)) return false;
				tried.add(board);
				const holder = taken.get(board);
				if (holder && !find(holder, tried)) return false;
				taken.set(board, lease);
				return true;
			});
		return leases.filter((lease) => find(lease, new Set())).length;
	}

	#fits({ row, accepted }: KnownLease, board: BoardRow | undefined) {
		return (
			board !== undefined &&
			board.board_type === row.board_type &&
			board.credits_per_minute <= accepted &&
			(row.wanted_board_id === null || row.wanted_board_id === board.id)
		);
	}

	/** The place in the order, fixed by the age and by what the account has or waits for. */
	#rankOf(row: LeaseRow) {
		const { account_id, created_at } = row;
		const own = [...this.leases.values()].filter(
			({ row: other }) =>
				other.account_id === account_id && other.status !== 'ended' && !isTogether(other, row),
		);
		// A group has two leases.
		const places = own.length + (row.group_id === null ? 0 : 1);
		return Date.parse(created_at) + places * 600_000;
	}

	#ended(lease: KnownLease, row: LeaseRow) {
		lease.endedAt = this.#simulation.now;
		const credits = row.credits ?? 0;
		this.tally = { ended: this.tally.ended + 1, credits: this.tally.credits + credits };
		const { board_id } = this.#lostWith(lease);
		const cause = { ...lease, row: { ...lease.row, board_id } };
		const [least, most] = this.costs.bounds(cause, row.end_reason);
		if (credits < least || credits > most) {
			this.violated('credits add up', `${row.id} costs ${credits}, not ${least} to ${most}`);
		}
		this.#checkReason(lease, row);
	}

	/** The lease of its group whose agent may be lost, or itself. */
	#lostWith({ row, grantedAt = 0 }: KnownLease) {
		const group = [...this.leases.values()].map((each) => each.row);
		const lost = group.find(
			(other) =>
				isTogether(other, row) && this.#troubles.excusesLoss(other.board_id ?? '', grantedAt),
		);
		return lost ?? row;
	}

	/** A lease of a living user is not taken away. */
	#checkReason(lease: KnownLease, row: LeaseRow) {
		if (lease.restored) return;
		const wasActive = lease.row.status === 'active';
		const { end_reason: reason } = row;
		if (reason === 'agent_lost') {
			const board = this.boards.get(this.#lostWith(lease).board_id ?? '');
			if (!wasActive) {
				this.violated(
					'turns are kept',
					`${row.id} waited for its preparation, and its agent was lost`,
				);
			} else if (!this.#troubles.excusesLoss(board?.id ?? '', lease.grantedAt ?? 0)) {
				this.violated(
					'nobody is lost early',
					`${row.id} on ${board?.id} lost its agent, which was there`,
				);
			}
		}
		if (reason === 'expired') this.#checkExpired(lease, wasActive);
		if (reason === 'prepare_failed' && lease.failures === 0 && !this.#troubles.hasBoardFaults) {
			this.violated('turns are kept', `${row.id}: no board failed, but its preparation did`);
		}
		if (reason === 'no_board' && lease.row.queued_until > (row.ended_at ?? '')) {
			this.violated('turns are kept', `${row.id} waited for less than it wanted`);
		}
	}

	#checkExpired({ row }: KnownLease, wasActive: boolean) {
		if (wasActive && this.#minutes.isTooSoon(row.id))
			this.violated('minutes are real', `${row.id} expired before its end`);
		const belief = this.beliefs.find(
			({ lease, renews, process }) => lease.id === row.id && renews && process.alive,
		);
		const creation = this.calls.find(
			({ name, settledAt }) => name === `create ${row.label}` && settledAt === undefined,
		);
		const process = belief?.process ?? creation?.process;
		if (!process?.alive || this.outOfCredits.has(row.id) || this.givenBack.has(row.id)) return;
		// A renewal is due in a third of a minute at least, so a quiet time of this length has one.
		if (this.#troubles.quietFor(process.name) < 45 * seconds) return;
		const state = wasActive ? 'used it' : 'waited for it';
		this.violated('turns are kept', `${row.id} expired while ${process.name} ${state}`);
	}

	#boardChanged(row: BoardRow) {
		const before = this.boards.get(row.id);
		if (before && row.fence < before.fence) {
			this.violated('fences rise', `${row.id} from ${before.fence} to ${row.fence}`);
		}
		if (before && before.status !== row.status)
			this.#simulation.note(`board ${row.id} ${row.status}`);
		this.boards.set(row.id, row);
		if (row.status === 'available') this.operated.boardIs(row.id, row.status);
	}

	#usedBoards() {
		const available = [...this.boards.values()].flatMap(({ id, status }) =>
			status === 'available' ? { board: id, state: status } : [],
		);
		const leased = [...this.leases.values()].flatMap(({ row: { board_id: board, status } }) =>
			board !== null && (status === 'preparing' || status === 'active')
				? { board, state: `in a lease that is ${status}` }
				: [],
		);
		return [...available, ...leased];
	}

	#actionChanged(row: Row) {
		const { id, lease_id, action, phase, status } = row;
		this.#simulation.note(`action ${id} ${phase} ${action} ${status}`);
		this.#actions.set(String(id), {
			lease: String(lease_id),
			action: String(action),
			phase: String(phase),
		});
	}

	#booking({ account_id, amount, reference }: Row) {
		this.#credits.set(
			String(account_id),
			(this.#credits.get(String(account_id)) ?? 0) + Number(amount),
		);
		const lease = /^lease (\S+)$/.exec(String(reference))?.[1];
		if (lease) this.#booked.set(lease, (this.#booked.get(lease) ?? 0) - Number(amount));
		if ((this.#credits.get(String(account_id)) ?? 0) < 0) {
			this.violated('credits add up', `the account ${account_id} is below zero`);
		}
	}

	#newLease(row: LeaseRow): KnownLease {
		return {
			row,
			accepted: this.#acceptedBy(row),
			createdAt: this.#simulation.now,
			endedAt: undefined,
			grantedAt: row.board_id === null ? undefined : this.#simulation.now,
			activeAt: row.status === 'active' ? this.#simulation.now : undefined,
			freeSince: undefined,
			restored: false,
			acted: new Map(),
			since: this.#simulation.now,
			typed: new Map(),
			failures: 0,
			isFaulty: false,
		};
	}

	/** The highest price of a board that the account could pay for the whole time. */
	#acceptedBy(row: LeaseRow) {
		const { account_id, board_type, wanted_board_id } = row;
		// The same for each of the two boards of a group.
		const minutes = row.minutes * (row.group_id === null ? 1 : 2);
		const held = [...this.leases.values()]
			.filter(
				({ row: other }) =>
					other.account_id === account_id && other.status !== 'ended' && !isTogether(other, row),
			)
			.reduce((sum, { row }) => sum + row.held_credits, 0);
		const spendable = (this.#credits.get(account_id) ?? 0) - held;
		const prices = [...this.boards.values()]
			.filter(({ id, board_type: type }) => type === board_type && (wanted_board_id ?? id) === id)
			.map(({ credits_per_minute }) => credits_per_minute);
		return Math.max(0, ...prices.filter((price) => price * minutes <= spendable));
	}

	#noteFence({ id, board_id, fence }: LeaseRow) {
		if (board_id !== null && fence !== null) this.#byFence.set(`${board_id} ${fence}`, id);
	}

	/** The lease for which the agent has the board open. */
	#holder({ board, fence, number }: BoardSession, what: string) {
		const id = this.#byFence.get(`${board} ${fence}`);
		const lease = id === undefined ? undefined : this.leases.get(id);
		if (!lease && !this.#hasRestored)
			this.violated(
				'nothing of an old lease',
				`${what}: session ${number} of ${board} has the fence ${fence} of no lease`,
			);
		return lease;
	}

	#checkWaiting(lease: KnownLease) {
		const boards = [...this.boards.values()].filter(({ status }) => status === 'available');
		const queued = [...this.leases.values()].filter(({ row }) => row.status === 'queued');
		const own = queued.filter(({ row }) => isTogether(row, lease.row));
		const before = queued.filter(
			(other) => !isTogether(other.row, lease.row) && isBefore(other, lease),
		);
		const kept = this.#served(before, boards);
		const free = this.#served([...before, ...own], boards) === kept + own.length;
		const { now } = this.#simulation;
		if (!free || this.#troubles.servicesQuietFor() < 5 * seconds) lease.freeSince = undefined;
		else lease.freeSince ??= now;
		if (lease.freeSince === undefined || now - lease.freeSince < 6 * seconds) return;
		lease.freeSince = Number.POSITIVE_INFINITY;
		this.violated('available boards are granted', `${lease.row.id} waits although a board is free`);
	}

	#checkServed(lease: KnownLease, held: (board: string) => BoardSession | undefined) {
		const { board_id: board, fence } = lease.row;
		if (board === null || fence === null || this.#notOpened.has(`${board} ${fence}`)) return;
		// It ends as soon as the agent is back.
		if (this.#troubles.restartedSince(board, lease.grantedAt ?? 0)) return;
		// A backup knows another start of the agent, which counts as connected until it was silent for long.
		const since =
			this.#simulation.now - Math.max(lease.grantedAt ?? 0, this.restoredAt + 60 * seconds);
		const quiet = Math.min(since, this.#troubles.boardQuietFor(board));
		// An agent that was killed may still count as connected, and another is not let in before it is silent.
		const wasRestarted = this.#troubles.restartedSince(
			board,
			(lease.grantedAt ?? 0) - 60 * seconds,
		);
		if (quiet < (wasRestarted ? 60 * seconds : agentDelay)) return;
		const session = held(board);
		if (session?.fence === fence) {
			this.pins.check(lease.row.id, session, quiet);
			return;
		}
		this.#notOpened.add(`${board} ${fence}`);
		this.violated(
			'a charged lease is served',
			`${lease.row.id} is ${lease.row.status}, and nobody has ${board} open for it`,
		);
	}

	/** What somebody who watches a list has to know. */
	#currentOf({ account, sharedWith }: Watcher): Current[] {
		return [...this.leases.values()].flatMap(({ row: { id, account_id, status }, since }) => {
			if (sharedWith === undefined) return account_id === account ? [{ id, status, since }] : [];
			const share = this.sharing.lastOf({ lease: id, email: sharedWith });
			if (!share) return [];
			const isListed = share.access !== null;
			return [{ id, status: isListed ? status : undefined, since: Math.max(since, share.at) }];
		});
	}

	#checkBelief(belief: Belief) {
		const { process, lease, minutes, renews } = belief;
		const known = this.leases.get(lease.id);
		if (!known || known.restored || !process.alive || process.paused) return;
		if (lease.status === 'ended' && known.row.status !== 'ended') {
			this.violated(
				'never "ended" while it is charged',
				`${process.name}: ${lease.id} is ${known.row.status}`,
			);
			known.restored = true;
		}
		if (!renews || lease.status === 'ended' || known.endedAt === undefined) return;
		const told = Math.min(
			this.#simulation.now - known.endedAt,
			this.#troubles.quietFor(process.name),
		);
		// After a release that failed, it is no longer renewed, and known to be over at its end.
		const most = this.givenBack.has(lease.id) ? 5 * 60 * seconds : minutes * 20 * seconds;
		if (told < most + 30 * seconds) return;
		this.violated(
			'never "active" when it has ended',
			`${process.name}: ${lease.id} is ${lease.status}`,
		);
		known.restored = true;
	}

	#checkLimit(call: Call) {
		if (call.limit === undefined || call.settledAt !== undefined || !call.process.alive) return;
		if (call.process.paused || this.#simulation.now < call.limit + 20 * seconds) return;
		if (this.#troubles.runningFor(call.process.name) < 20 * seconds) return;
		call.limit = undefined;
		this.violated('limits are kept', `${call.process.name}: ${call.name}`);
	}

	/** A creation that has failed leaves no lease behind. */
	#checkFailedCreation(label: string, { process, at, grace }: FailedCreation) {
		const lease = this.leaseOfLabel(label);
		// A request that arrives after its retries were rejected: nobody renews its lease.
		const isLate = lease && lease.createdAt > at;
		// Its lease may be younger than the backup.
		const isForgotten = this.#hasRestored && (!lease || lease.restored);
		if (!process.alive || lease?.row.status === 'ended' || isForgotten || isLate) {
			this.failedCreations.delete(label);
			return;
		}
		const waited = Math.min(this.#simulation.now - at, this.#troubles.quietFor(process.name));
		if (waited < 45 * seconds || this.#simulation.now - at < grace) return;
		this.failedCreations.delete(label);
		if (lease)
			this.violated(
				'a failed creation leaves nothing',
				`${label}: ${lease.row.id} is ${lease.row.status}`,
			);
	}

	#checkActions({ row, acted, restored }: KnownLease) {
		if (restored) return;
		const rows = [...this.#actions.values()].filter(({ lease }) => lease === row.id);
		for (const action of new Set([...acted.keys(), ...rows.map((each) => each.action)])) {
			const used = rows.filter((each) => each.action === action && each.phase === 'use').length;
			// Only the first lease of a group is used.
			const name = `${row.role === 'peer' ? '' : row.label} ${action}`;
			const { calls, done } = this.requested.get(name) ?? { calls: 0, done: 0 };
			const times = acted.get(action) ?? 0;
			if (used > calls) {
				this.violated(
					'every change once',
					`${row.id}: ${action} requested ${calls} times, and ordered ${used} times`,
				);
			}
			if (times > used) {
				this.violated(
					'every change once',
					`${row.id}: ${action} ordered ${used} times, and done ${times} times`,
				);
			}
			if (done > times) {
				this.violated(
					'nothing is lost',
					`${row.id}: ${action} confirmed ${done} times, and done ${times} times`,
				);
			}
		}
	}
}

function deleteWhere<Key, Value>(
	map: Map<Key, Value>,
	isOver: (key: Key, value: Value) => boolean,
) {
	for (const [key, value] of map) if (isOver(key, value)) map.delete(key);
}

/** Whether it is the same lease, or one of its group. */
function isTogether(one: LeaseRow, other: LeaseRow) {
	return one.id === other.id || (one.group_id !== null && one.group_id === other.group_id);
}

function isBefore({ row: one }: KnownLease, { row: other }: KnownLease) {
	return one.rank === other.rank ? one.id < other.id : one.rank < other.rank;
}
