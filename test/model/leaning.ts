// Histories with more faults of one kind, so that a bug of that kind is found sooner.
import { pinNames } from './hardware.ts';
import { generatePlan, type Job, type Plan, sharedJob, sites, type Trouble } from './plan.ts';
import { between, pick, type Random, randomOf } from './random.ts';

/** What a history has more of. */
export type Leaning =
	| 'slow preparations'
	| 'unknown statuses'
	| 'failing boards'
	| 'handovers'
	| 'failures without a connection'
	| 'releases without a connection'
	| 'lost creations'
	| 'renewals without a connection'
	| 'paused services'
	| 'wrong clocks'
	| 'clocks that are set'
	| 'restarted agents'
	| 'lost agents'
	| 'twins'
	| 'backups'
	| 'full disks'
	| 'cut agents'
	| 'late renewals'
	| 'much input'
	| 'floods'
	| 'floods without a connection'
	| 'sharing'
	| 'attached'
	| 'pins'
	| 'operators';

/** The plan of the seed, with more of one kind. */
export function leaningPlan(seed: string, leaning: Leaning | undefined): Plan {
	const plan = generatePlan(seed);
	if (leaning === undefined) return plan;
	return leanings[leaning](plan, randomOf(seed, 'leaning'));
}

const leanings: Readonly<Record<Leaning, (plan: Plan, random: Random) => Plan>> = {
	'slow preparations': (plan, random) => ({
		...withJobs(plan, (job) => ({
			...job,
			renew: false,
			minutes: 1,
			timeout: undefined,
			abortAfter: undefined,
		})),
		boardFaults: slowUses(plan, random),
	}),
	'unknown statuses': (plan) => withRates(plan, { 'unknown-status': 15 }),
	'failing boards': (plan, random) => ({
		...withJobs(plan, (job) => ({ ...job, board: undefined, waitSeconds: 400 })),
		site: 1,
		boardFaults: Array.from({ length: 12 }, (_, use) => ({
			board: 'brd_a',
			use: use + between(random, 0, 3),
			kind: 'fails' as const,
		})),
	}),
	handovers: (plan, random) => ({
		...withRates(plan, { cut: 15, 'stalled-request': 3 }),
		users: plan.users.map((user) => ({
			...user,
			jobs: user.jobs.map((job) => ({
				...job,
				minutes: 1,
				renew: false,
				waitSeconds: 400,
				timeout: undefined,
				abortAfter: undefined,
				steps: [
					{ do: 'visit' as const, milliseconds: between(random, 5_000, 30_000), minutes: 4 },
					{ do: 'read' as const, milliseconds: between(random, 60_000, 120_000) },
				],
			})),
		})),
	}),
	'failures without a connection': (plan, random) => ({
		...withJobs(plan, (job) => ({
			...job,
			steps: Array.from({ length: 4 }, () => ({ do: 'act' as const, action: 'reset' as const })),
		})),
		boardFaults: ['brd_a', 'brd_b', 'brd_c'].flatMap((board) =>
			Array.from({ length: 8 }, () => ({
				board,
				use: between(random, 3, 20),
				kind: 'fails' as const,
			})),
		),
		troubles: plan.users.flatMap(({ name }) =>
			Array.from({ length: 3 }, () => ({
				at: between(random, 2_000, 20_000),
				who: name,
				kind: 'cut' as const,
				milliseconds: between(random, 40_000, 60_000),
				mode: 'broken' as const,
				moment: 'failed' as const,
			})),
		),
	}),
	'releases without a connection': (plan, random) => ({
		...withJobs(plan, (job) => ({
			...job,
			renew: true,
			end: 'release',
			steps: job.steps.slice(0, 1),
		})),
		troubles: plan.users.flatMap(({ name }) =>
			cutsOf(name, random, { least: 35_000, most: 60_000 }),
		),
	}),
	'lost creations': (plan) => ({
		...withJobs(withRates(plan, { 'lost-response': 40, 'gateway-timeout': 20 }), (job) => ({
			...job,
			timeout: undefined,
			abortAfter: undefined,
		})),
		troubles: [],
	}),
	'renewals without a connection': (plan, random) => ({
		...withJobs(plan, (job) => ({
			...job,
			renew: true,
			minutes: pick(random, [1, 2]),
			waitSeconds: 400,
			steps: [
				{ do: 'renew', minutes: 4 },
				{ do: 'renew', minutes: 1 },
				{ do: 'idle', milliseconds: between(random, 60_000, 90_000) },
				{ do: 'idle', milliseconds: between(random, 60_000, 90_000) },
			],
		})),
		troubles: plan.users.flatMap(({ name }) =>
			cutsOf(name, random, { least: 10_000, most: 50_000 }),
		),
		calmAt: 150_000,
	}),
	'paused services': (plan, random) => ({
		...plan,
		replicas: 1,
		troubles: [
			{
				at: between(random, 10_000, 40_000),
				who: 'service-1',
				kind: 'pause',
				milliseconds: between(random, 40_000, 60_000),
			},
		],
		calmAt: 150_000,
	}),
	'wrong clocks': (plan, random) => ({
		...plan,
		replicas: 2,
		offsets: { 'service-1': 0, 'service-2': pick(random, [40_000, -90_000, 3_600_000]) },
	}),
	'clocks that are set': (plan, random) => ({
		...plan,
		troubles: [10_000, 30_000].map((at) => ({
			at: at + between(random, 0, 20_000),
			who: plan.ownClock ? 'service-1' : 'database',
			kind: 'clock' as const,
			by: pick(random, [-3_600_000, 180_000, 3_600_000]),
		})),
		calmAt: 110_000,
	}),
	'restarted agents': (plan, random) => ({
		...plan,
		troubles: atAgents(random, 'granted', 'kill'),
	}),
	'lost agents': lostAgents,
	twins: (plan, random) => ({ ...plan, troubles: atAgents(random, 'active', 'twin') }),
	backups: (plan, random) => ({
		...plan,
		troubles: [{ at: between(random, 20_000, 50_000), who: 'database', kind: 'restore', age: 0 }],
	}),
	'full disks': (plan, random) => ({
		...plan,
		boardFaults: [],
		troubles: atAgents(random, 'ended', 'disk'),
	}),
	'late renewals': lateRenewals,
	'much input': muchInput,
	floods,
	'floods without a connection': floodsWhileCut,
	sharing,
	attached,
	pins,
	'cut agents': (plan, random) => ({
		...plan,
		troubles: ['agent-1', 'agent-2'].flatMap((name) =>
			cutsOf(name, random, { least: 14_000, most: 23_000 }),
		),
	}),
	operators: (plan, random) => ({
		...withJobs(plan, (job) => ({ ...job, waitSeconds: 400, timeout: undefined })),
		troubles: ['agent-1', 'agent-2'].flatMap((who) =>
			Array.from({ length: 5 }, () => {
				const [at, milliseconds] = [between(random, 3_000, 90_000), between(random, 50, 10_000)];
				const drains = random() < 0.7;
				const reload = { board: between(random, 0, 1), removes: random() < 0.4 };
				return random() < 0.5
					? { at, who, milliseconds, kind: 'stop' as const, drains }
					: { at, who, milliseconds, kind: 'reload' as const, ...reload };
			}),
		),
	}),
};

/** A renewal that comes shortly before the end, while the agent cannot know of it. */
function lateRenewals(plan: Plan, random: Random): Plan {
	const jobs = withJobs(plan, (job) => ({
		...job,
		after: 0,
		renew: false,
		minutes: 1,
		waitSeconds: 400,
		timeout: undefined,
		abortAfter: undefined,
		steps: [
			{ do: 'idle', milliseconds: between(random, 48_000, 56_000) },
			{ do: 'renew', minutes: 4 },
			{ do: 'idle', milliseconds: 90_000 },
		],
	}));
	const troubles = ['agent-1', 'agent-2'].map(
		(who): Trouble => ({
			at: between(random, 46_000, 56_000),
			who,
			kind: 'cut',
			milliseconds: between(random, 16_000, 24_000),
			mode: 'broken',
		}),
	);
	return { ...jobs, boardFaults: [], troubles, calmAt: 100_000 };
}

/** Leases of some minutes, in the middle of which their agents are gone for long. */
function lostAgents(plan: Plan, random: Random): Plan {
	const jobs = withJobs(plan, (job) => ({
		...job,
		renew: true,
		waitSeconds: 400,
		timeout: undefined,
		abortAfter: undefined,
		steps: [{ do: 'idle', milliseconds: 150_000 }],
	}));
	const troubles = ['agent-1', 'agent-2'].map(
		(who): Trouble => ({
			at: between(random, 40_000, 90_000),
			who,
			kind: 'kill',
			milliseconds: between(random, 20_000, 50_000),
			forgets: false,
		}),
	);
	return { ...jobs, boardFaults: [], troubles, calmAt: 150_000 };
}

/** More is typed than is kept, while the agent is away. */
function muchInput(plan: Plan, random: Random): Plan {
	const jobs = withJobs(plan, (job) => ({
		...job,
		after: 0,
		renew: true,
		waitSeconds: 400,
		timeout: undefined,
		abortAfter: undefined,
		steps: [
			{ do: 'idle', milliseconds: between(random, 20_000, 22_000) },
			{ do: 'write', units: 60, size: 4_000 },
			{ do: 'idle', milliseconds: 40_000 },
			{ do: 'write', units: 1, size: 20 },
			{ do: 'idle', milliseconds: 10_000 },
		],
	}));
	const troubles = ['agent-1', 'agent-2'].map(
		(who): Trouble => ({ at: 20_000, who, kind: 'cut', milliseconds: 25_000, mode: 'broken' }),
	);
	return { ...jobs, boardFaults: [], requestFaults: { list: [] }, troubles, calmAt: 100_000 };
}

/** Boards that print more than is passed on or kept, with readers that come late. */
function floods(plan: Plan, random: Random): Plan {
	const jobs = withJobs(plan, (job) => ({
		...job,
		after: 0,
		renew: true,
		waitSeconds: 400,
		timeout: undefined,
		abortAfter: undefined,
		steps: [
			{ do: 'act', action: 'reset' },
			{ do: 'idle', milliseconds: between(random, 1_000, 25_000) },
			{ do: 'read', milliseconds: between(random, 1_000, 20_000), lines: random() < 0.5 },
		],
	}));
	const boardFaults = ['brd_a', 'brd_b', 'brd_c'].flatMap((board) =>
		Array.from({ length: 8 }, (_, use) => ({ board, use, kind: 'floods' as const })),
	);
	return { ...jobs, boardFaults, calmAt: 110_000 };
}

/** More than an agent keeps while it is cut off. */
function floodsWhileCut(plan: Plan, random: Random): Plan {
	const troubles = ['agent-1', 'agent-2'].map(
		(who): Trouble => ({
			at: 1_000,
			who,
			kind: 'cut',
			moment: 'acted',
			milliseconds: between(random, 8_000, 14_000),
			mode: 'broken',
		}),
	);
	return { ...floods(plan, random), troubles };
}

function sharing(plan: Plan, random: Random): Plan {
	const [board] = sites[plan.site]?.boards ?? [];
	if (!board) return plan;
	const users = plan.users.map((user) => ({
		...user,
		watches: 'shared' as const,
		jobs: user.jobs.map(() => sharedJob(random, board)),
	}));
	const requestFaults = withRates(plan, { doubled: 15, 'late-request': 5, cut: 5 }).requestFaults;
	return { ...plan, users, boardFaults: [], requestFaults, calmAt: 110_000 };
}

/** Leases that live only because another process has attached them. */
function attached(plan: Plan, random: Random): Plan {
	const jobs = withJobs(plan, (job) => ({
		...job,
		minutes: 1,
		renew: false,
		waitSeconds: 400,
		timeout: undefined,
		abortAfter: undefined,
		steps: [
			{
				do: 'visit',
				milliseconds: between(random, 80_000, 100_000),
				minutes: undefined,
				attaches: true,
			},
		],
	}));
	return { ...jobs, boardFaults: [], troubles: [], calmAt: 150_000 };
}

function pins(plan: Plan, random: Random): Plan {
	const jobs = withJobs(plan, (job) => ({
		...job,
		renew: true,
		waitSeconds: 400,
		timeout: undefined,
		abortAfter: undefined,
		steps: Array.from({ length: 2 }, () => [
			{ do: 'pin' as const, pin: pick(random, pinNames), release: random() < 0.3 },
			{ do: 'idle' as const, milliseconds: between(random, 50_000, 60_000) },
		]).flat(),
	}));
	return { ...jobs, boardFaults: [], troubles: [], requestFaults: { list: [] }, calmAt: 150_000 };
}

function withJobs(plan: Plan, change: (job: Job) => Job): Plan {
	return { ...plan, users: plan.users.map((user) => ({ ...user, jobs: user.jobs.map(change) })) };
}

function withRates(plan: Plan, rates: Record<string, number>): Plan {
	return {
		...plan,
		requestFaults: { rates: Object.fromEntries(plan.users.map(({ name }) => [name, rates])) },
	};
}

function slowUses(plan: Plan, random: Random): Plan['boardFaults'] {
	return ['brd_a', 'brd_b', 'brd_c'].flatMap((board) => [
		{ board, use: between(random, 1, 2), kind: 'very slow' as const },
		...plan.boardFaults.slice(0, 1),
	]);
}

function cutsOf(
	who: string,
	random: Random,
	{ least, most }: { least: number; most: number },
): Trouble[] {
	return [10_000, 70_000].map((at) => ({
		at: at + between(random, 0, 30_000),
		who,
		kind: 'cut',
		milliseconds: between(random, least, most),
		mode: pick(random, ['broken', 'silent'] as const),
	}));
}

function atAgents(
	random: Random,
	moment: 'granted' | 'active' | 'ended',
	kind: 'kill' | 'twin' | 'disk',
): Trouble[] {
	return ['agent-1', 'agent-2'].flatMap((who) =>
		[1_000, 65_000].map(
			(at): Trouble => ({
				at,
				who,
				kind,
				moment,
				milliseconds: between(random, 3_000, 30_000),
				forgets: false,
			}),
		),
	);
}
