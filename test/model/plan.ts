// A history as data: who does what, and what goes wrong. Generated from a seed, and shrunk by deletion.
import type { FaultRates, RequestFault } from './faults.ts';
import { type HardwareFault, pinNames } from './hardware.ts';
import type { CutMode } from './network.ts';
import { between, pick, type Random, randomOf, weighted } from './random.ts';
import type { Firmware } from './rules/verdicts.ts';

/** What a user does with a lease. */
export type Step =
	| { do: 'expect'; milliseconds: number }
	| { do: 'write'; units: number; size: number }
	| { do: 'act'; action: 'reset' | 'erase' | 'power' }
	| { do: 'flash' }
	| { do: 'renew'; minutes: number | undefined }
	| { do: 'refresh' }
	| { do: 'read'; milliseconds: number; lines?: boolean }
	| { do: 'idle'; milliseconds: number }
	/** Another process uses the same lease for some time, and may renew it. */
	| { do: 'visit'; milliseconds: number; minutes: number | undefined; attaches?: boolean }
	/** The lease is shared with another account, of this number after its own. */
	| { do: 'share'; to: number; access: 'look' | 'type' }
	| { do: 'unshare'; to: number }
	/** From now on, somebody of that account uses the lease for some time. */
	| { do: 'colleague'; to: number; milliseconds: number }
	| { do: 'pin'; pin: 'D2' | 'D3'; release: boolean };

export interface Job {
	/** When it begins, after the one before. */
	after: number;
	/** The board, or any of the type. */
	board: string | undefined;
	type: string;
	/** The type of a board that is leased together with it. */
	peer?: string | undefined;
	minutes: number | undefined;
	waitSeconds: number;
	renew: boolean;
	progress: boolean;
	/** Time limit of the creation, and an abort of it, in milliseconds. */
	timeout: number | undefined;
	abortAfter: number | undefined;
	steps: Step[];
	/** How it ends: by a release, or by the death of the process. */
	end: 'release' | 'crash';
	/** When it begins at the earliest. */
	from?: number;
	/** Firmware that is tested, as `board-access run` does it, instead of the steps. */
	tests?: Firmware;
	/** Ends the maintenance of every board, instead of the steps. */
	repairs?: boolean;
}

export interface User {
	name: string;
	account: number;
	jobs: Job[];
	/** Whether it watches its leases, or those that others share with it. */
	watches?: 'own' | 'shared' | undefined;
}

/** Instead of a time: the next time that this happens. */
export type Moment = 'granted' | 'active' | 'ended' | 'acted' | 'failed';

/** What happens to a process or a machine. */
export type Trouble = { at: number; who: string; moment?: Moment } & (
	| { kind: 'kill'; milliseconds: number; forgets: boolean }
	| { kind: 'pause'; milliseconds: number }
	| { kind: 'cut'; milliseconds: number; mode: CutMode }
	| { kind: 'clock'; by: number }
	| { kind: 'disk'; milliseconds: number }
	| { kind: 'twin'; milliseconds: number }
	| { kind: 'restore'; age: number }
	/** Its operator stops an agent, and starts it again after some time. */
	| { kind: 'stop'; milliseconds: number; drains: boolean }
	/** The configuration of an agent has other settings of a board, or not the board, for some time. */
	| { kind: 'reload'; milliseconds: number; board: number; removes: boolean }
);

interface BoardFault {
	board: string;
	use: number;
	kind: HardwareFault;
}

export interface Plan {
	seed: string;
	site: number;
	replicas: number;
	users: User[];
	troubles: Trouble[];
	boardFaults: BoardFault[];
	/** How often boards fail by chance, of a thousand uses. */
	boardRates?: Readonly<Partial<Record<HardwareFault, number>>>;
	/** By chance, or those that happened when the plan was run. */
	requestFaults: { rates: Readonly<Record<string, FaultRates>> } | { list: RequestFault[] };
	/** Hints between the replicas that are lost, of a hundred. */
	lostHints: number;
	/** What the clock of each process is ahead, in milliseconds. */
	offsets: Readonly<Record<string, number>>;
	/** Whether the wall clock is that of the only service, as on SQLite, and not that of the database. */
	ownClock: boolean;
	/** When nothing goes wrong any more. */
	calmAt: number;
}

export interface SiteBoard {
	id: string;
	type: string;
	price: number;
	agent: string | undefined;
	actions: readonly string[];
}

export interface Site {
	boards: readonly SiteBoard[];
	/** Whether the first account is that of an administrator. */
	hasOperator?: boolean;
	/** What each account has at the beginning, apart from the last, which is poor. */
	credits?: number;
	/** Files that each board of the type is flashed with before a lease. */
	images: readonly { type: string; action: 'flash' | 'erase' }[];
}

const every = ['flash', 'erase', 'reset', 'power_on', 'power_off', 'power_cycle'];
const few = ['flash', 'erase', 'reset'];

export const sites: readonly Site[] = [
	{
		boards: [{ id: 'brd_a', type: 'alpha', price: 2, agent: 'agent-1', actions: every }],
		images: [{ type: 'alpha', action: 'flash' }],
	},
	{
		boards: [
			{ id: 'brd_a', type: 'alpha', price: 1, agent: 'agent-1', actions: every },
			{ id: 'brd_b', type: 'alpha', price: 4, agent: 'agent-1', actions: few },
		],
		images: [],
	},
	{
		boards: [
			{ id: 'brd_a', type: 'alpha', price: 0, agent: 'agent-1', actions: few },
			{ id: 'brd_b', type: 'alpha', price: 3, agent: 'agent-2', actions: every },
			{ id: 'brd_c', type: 'beta', price: 1, agent: 'agent-2', actions: few },
		],
		images: [
			{ type: 'alpha', action: 'erase' },
			{ type: 'beta', action: 'flash' },
		],
	},
];

export const accounts = 3;

export function generatePlan(seed: string): Plan {
	const random = (...names: (string | number)[]) => randomOf(seed, 'plan', ...names);
	const own = random('shape');
	const site = between(own, 0, sites.length - 1);
	const replicas = own() < 0.4 ? 2 : 1;
	const boards = sites[site]?.boards ?? [];
	const users = Array.from({ length: pick(own, [1, 2, 2, 3]) }, (_, index) =>
		userOf(random('user', index), { index, boards }),
	);
	const calmAt = pick(own, [40_000, 70_000, 110_000]);
	const agents = [...new Set(boards.flatMap(({ agent }) => agent ?? []))];
	const services = Array.from({ length: replicas }, (_, index) => `service-${index + 1}`);
	const machines = { agents, services, users: users.map(({ name }) => name) };
	const rough = own() < 0.75;
	return {
		seed,
		site,
		replicas,
		users,
		troubles: [
			...(own() < 0.8 ? troublesOf(random('troubles'), machines, calmAt) : []),
			...clocksSet(random('clocks set'), services, calmAt),
			...operations(random('operator'), agents, calmAt),
		],
		ownClock: replicas === 1 && random('own clock')() < 0.5,
		boardFaults: own() < 0.4 ? boardFaultsOf(random('boards'), boards) : [],
		requestFaults: { rates: rough ? ratesOf(random('rates'), machines) : {} },
		lostHints: pick(own, [0, 30, 100]),
		offsets: own() < 0.3 ? offsetsOf(random('offsets'), machines) : {},
		calmAt,
	};
}

function userOf(
	random: Random,
	{ index, boards }: { index: number; boards: readonly SiteBoard[] },
): User {
	const jobs = Array.from({ length: between(random, 1, 3) }, () => jobOf(random, boards));
	return {
		name: `user-${index + 1}`,
		account: between(random, 0, accounts - 1),
		jobs,
		watches: random() < 0.3 ? pick(random, ['own', 'shared'] as const) : undefined,
	};
}

function jobOf(random: Random, boards: readonly SiteBoard[]): Job {
	const board = pick(random, boards);
	const waits = random() < 0.85;
	if (random() < 0.08) return handover(random, board);
	if (random() < 0.08) return sharedJob(random, board);
	const renew = random() < 0.75;
	return {
		after: pick(random, [0, between(random, 0, 2_000), between(random, 0, 30_000)]),
		board: random() < 0.3 ? board.id : undefined,
		type: board.type,
		minutes: renew && random() < 0.5 ? undefined : between(random, 1, 4),
		waitSeconds: waits ? pick(random, [20, 120, 400]) : 0,
		renew,
		progress: random() < 0.3,
		timeout: random() < 0.15 ? between(random, 1_000, 60_000) : undefined,
		abortAfter: random() < 0.12 ? between(random, 1, 40_000) : undefined,
		steps: Array.from({ length: between(random, 0, 6) }, () => stepOf(random)),
		end: random() < 0.85 ? 'release' : 'crash',
		peer: random() < 0.2 ? pick(random, boards).type : undefined,
	};
}

/** A lease that only another process renews, while the first one goes on reading. */
function handover(random: Random, { type }: SiteBoard): Job {
	return {
		after: between(random, 0, 2_000),
		board: undefined,
		type,
		minutes: 1,
		waitSeconds: 400,
		renew: false,
		progress: false,
		timeout: undefined,
		abortAfter: undefined,
		steps: [
			{
				do: 'visit',
				milliseconds: between(random, 5_000, 90_000),
				minutes: 4,
				attaches: random() < 0.5,
			},
			{ do: 'read', milliseconds: between(random, 60_000, 120_000) },
		],
		end: 'release',
	};
}

/** A lease that a colleague uses while the holder shares it, stops that, and shares it again. */
export function sharedJob(random: Random, { type }: SiteBoard): Job {
	const to = between(random, 1, accounts - 1);
	const access = () => pick(random, ['look', 'type'] as const);
	const idle = () => ({ do: 'idle' as const, milliseconds: between(random, 3_000, 20_000) });
	return {
		after: between(random, 0, 2_000),
		board: undefined,
		type,
		minutes: undefined,
		waitSeconds: 400,
		renew: true,
		progress: false,
		timeout: undefined,
		abortAfter: undefined,
		steps: [
			{ do: 'share', to, access: access() },
			{ do: 'colleague', to, milliseconds: between(random, 30_000, 90_000) },
			idle(),
			{ do: 'unshare', to },
			idle(),
			{ do: 'share', to, access: access() },
			idle(),
			{ do: 'unshare', to },
			idle(),
		],
		end: 'release',
	};
}

function stepOf(random: Random): Step {
	const kind = weighted(random, {
		expect: 30,
		write: 18,
		act: 14,
		flash: 8,
		renew: 6,
		refresh: 4,
		read: 8,
		idle: 10,
		visit: 5,
		share: 3,
		unshare: 3,
		colleague: 3,
		pin: 5,
	});
	const milliseconds = pick(random, [
		between(random, 100, 3_000),
		between(random, 3_000, 30_000),
		between(random, 30_000, 90_000),
	]);
	switch (kind) {
		case 'expect':
			return { do: kind, milliseconds: between(random, 2_000, 30_000) };
		case 'write':
			return random() < 0.04
				? { do: kind, units: 24, size: 4_000 }
				: { do: kind, units: between(random, 1, 6), size: between(random, 10, 40) };
		case 'act':
			return { do: kind, action: pick(random, ['reset', 'erase', 'power'] as const) };
		case 'renew':
			return { do: kind, minutes: random() < 0.3 ? undefined : between(random, 1, 4) };
		case 'visit':
			return {
				do: kind,
				milliseconds,
				minutes: random() < 0.6 ? between(random, 2, 5) : undefined,
				attaches: random() < 0.3,
			};
		case 'share':
			return {
				do: kind,
				to: between(random, 1, 2),
				access: pick(random, ['look', 'type'] as const),
			};
		case 'unshare':
			return { do: kind, to: between(random, 1, 2) };
		case 'colleague':
			return { do: kind, to: between(random, 1, 2), milliseconds };
		case 'pin':
			return { do: kind, pin: pick(random, pinNames), release: random() < 0.3 };
		case 'read':
			return { do: kind, milliseconds, lines: random() < 0.4 };
		case 'idle':
			return { do: kind, milliseconds };
		case 'flash':
		case 'refresh':
			return { do: kind };
	}
}

interface Machines {
	agents: string[];
	services: string[];
	users: string[];
}

function troublesOf(random: Random, machines: Machines, calmAt: number): Trouble[] {
	const count = pick(random, [1, 2, 3, 6]);
	return Array.from({ length: count }, () => troubleOf(random, machines, calmAt)).sort(
		(one, other) => one.at - other.at,
	);
}

/** Often at the worst moment. */
function troubleOf(random: Random, machines: Machines, calmAt: number): Trouble {
	const trouble = anyTrouble(random, machines, calmAt);
	if (random() > 0.35) return trouble;
	const moment = pick(random, ['granted', 'active', 'ended', 'acted', 'failed'] as const);
	return { ...trouble, moment, at: Math.floor(trouble.at / 3) };
}

function anyTrouble(
	random: Random,
	{ agents, services, users }: Machines,
	calmAt: number,
): Trouble {
	const at = between(random, 500, calmAt - 1_000);
	const anyone = pick(random, [...agents, ...agents, ...services, ...users]);
	const milliseconds = pick(random, [
		between(random, 50, 2_000),
		between(random, 2_000, 14_000),
		between(random, 12_000, 25_000),
		between(random, 25_000, 60_000),
	]);
	const kind = weighted(random, {
		kill: 25,
		pause: 20,
		cut: 35,
		clock: 8,
		disk: 5,
		twin: 3,
		restore: 3,
	});
	switch (kind) {
		case 'kill':
			return {
				at,
				kind,
				who: pick(random, [...agents, ...services, ...users]),
				milliseconds,
				forgets: random() < 0.2,
			};
		case 'pause':
			return { at, kind, who: anyone, milliseconds };
		case 'cut':
			return { at, kind, who: anyone, milliseconds, mode: random() < 0.5 ? 'broken' : 'silent' };
		case 'clock':
			return { at, kind, who: anyone, by: pick(random, [-3_600_000, -40_000, 40_000, 3_600_000]) };
		case 'disk':
			return { at, kind, who: pick(random, agents), milliseconds };
		case 'twin':
			return { at, kind, who: pick(random, agents), milliseconds };
		case 'restore':
			return { at, kind, who: 'database', age: ageOf(random) };
	}
}

/** The wall clocks of the database and of the services are set. */
function clocksSet(random: Random, services: readonly string[], calmAt: number): Trouble[] {
	const count = random() < 0.7 ? 0 : between(random, 1, 3);
	return Array.from({ length: count }, () => ({
		at: between(random, 500, calmAt - 1_000),
		kind: 'clock' as const,
		who: pick(random, ['database', ...services]),
		by: pick(random, [-3_600_000, -40_000, 180_000, 3_600_000]),
	}));
}

/** What an operator does to agents that work. */
function operations(random: Random, agents: readonly string[], calmAt: number): Trouble[] {
	const count = random() < 0.6 ? 0 : between(random, 1, 4);
	return Array.from({ length: count }, () => {
		const at = between(random, 3_000, calmAt - 1_000);
		const who = pick(random, agents);
		const milliseconds = pick(random, [between(random, 50, 3_000), between(random, 3_000, 40_000)]);
		return random() < 0.5
			? { at, who, milliseconds, kind: 'stop' as const, drains: random() < 0.5 }
			: {
					...{ at, who, milliseconds, kind: 'reload' as const },
					board: between(random, 0, 1),
					removes: random() < 0.4,
				};
	});
}

/** Of a restored backup: from a moment ago to the beginning. */
function ageOf(random: Random) {
	return pick(random, [
		between(random, 200, 3_000),
		between(random, 3_000, 20_000),
		between(random, 20_000, 60_000),
		120_000,
	]);
}

function boardFaultsOf(random: Random, boards: readonly SiteBoard[]): BoardFault[] {
	const single = Array.from({ length: between(random, 1, 4) }, () => ({
		board: pick(random, boards).id,
		use: between(random, 0, 12),
		kind: weighted(random, {
			fails: 40,
			slow: 25,
			'very slow': 20,
			'does not open': 15,
			floods: 15,
		}),
	}));
	if (random() > 0.4) return single;
	// A board that fails several times in a row.
	const { board, use } = single[0] ?? { board: '', use: 0 };
	const length = between(random, 2, 6);
	return Array.from({ length }, (_, index) => ({ board, use: use + index, kind: 'fails' }));
}

function ratesOf(random: Random, { agents, users }: Machines) {
	const rates: Record<string, FaultRates> = {};
	for (const name of [...agents, ...users]) {
		const bad = pick(random, [0.3, 1, 3]);
		rates[name] = {
			refused: bad,
			'lost-request': bad / 2,
			'lost-response': bad,
			'stalled-request': bad / 3,
			'stalled-response': bad / 3,
			'late-request': bad / 2,
			'late-response': bad / 2,
			doubled: bad,
			cut: bad,
			'bad-gateway': bad / 3,
			'gateway-timeout': bad / 3,
			...(name.startsWith('user') && random() < 0.15 && { 'unknown-status': bad }),
		};
	}
	return rates;
}

function offsetsOf(random: Random, { agents, services, users }: Machines) {
	const names = [...agents, ...services, ...users];
	return Object.fromEntries(
		names.map((name) => [name, pick(random, [0, 0, 1_500, -90_000, 40_000, 3_600_000])]),
	);
}
