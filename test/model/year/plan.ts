// A site with many boards, and what its people do for weeks: nightly tests, a test of each commit, and work with consoles.
import type { Job, Plan, Site, SiteBoard, Trouble, User } from '../plan.ts';
import { between, pick, type Random, randomOf, weighted } from '../random.ts';

export interface Scale {
	seed: string;
	boards: number;
	users: number;
	days: number;
	/** Jobs of each user on a working day, on average. */
	jobs: number;
	replicas: number;
}

const minute = 60_000;
const hour = 60 * minute;
export const day = 24 * hour;

const boardsPerAgent = 50;
const actions = ['flash', 'erase', 'reset', 'power_on', 'power_off', 'power_cycle'];

/** Of each type, its part of the boards. Of the last there are too few, so that people wait. */
const types = { uno: 40, pico: 25, esp32: 20, stm32: 13, fpga: 2 };

/** The boards of the types, behind agents with so many boards each. */
export function siteOf({ boards, seed }: Scale): Site {
	const random = randomOf(seed, 'site');
	const names = Object.keys(types);
	return {
		boards: Array.from({ length: boards }, (_, index): SiteBoard => {
			const type = names[index] ?? weighted(random, types);
			const agent = `agent-${1 + Math.floor(index / Math.max(boardsPerAgent, boards / 20))}`;
			return { id: `brd_${index}`, type, price: 1 + (index % 3), agent, actions };
		}),
		images: [
			{ type: 'uno', action: 'flash' },
			{ type: 'pico', action: 'erase' },
			{ type: 'fpga', action: 'flash' },
		],
		hasOperator: true,
		credits: 100_000_000,
	};
}

/**
 * Assumptions, because nobody publishes such rates: of a thousand flashes, resets and power cycles, 10 fail, 4 leave the
 * board silent, 4 lose the port for up to 40 seconds, and 2 do not end. A port cannot be opened in one of a thousand uses.
 */
const boardRates = { fails: 10, silent: 4, 'port gone': 4, 'very slow': 2, 'does not open': 1 };

/** Also assumptions: of 10,000 requests, 6 fail in one of these ways. */
const requestRates = {
	refused: 0.01,
	'lost-request': 0.01,
	'lost-response': 0.01,
	'late-response': 0.01,
	doubled: 0.01,
	'bad-gateway': 0.01,
};

export function yearPlan(scale: Scale): Plan {
	const { seed, users, days, replicas } = scale;
	const { boards } = siteOf(scale);
	const agents = [...new Set(boards.flatMap(({ agent }) => agent ?? []))];
	const services = Array.from({ length: replicas }, (_, index) => `service-${index + 1}`);
	const people = Array.from({ length: users }, (_, index) => userOf(scale, index));
	const everybody = [...agents, ...people.map(({ name }) => name)];
	return {
		seed,
		site: 0,
		replicas,
		users: [{ name: 'operator', account: 0, jobs: roundsOf(days) }, ...people],
		troubles: [
			...upgrades({ agents, services, days }),
			...outages(randomOf(seed, 'outages'), [...everybody, ...services], days),
			...clocks(randomOf(seed, 'clocks'), days),
			...restores(days),
		].sort((one, other) => one.at - other.at),
		boardFaults: [],
		boardRates,
		requestFaults: { rates: Object.fromEntries(everybody.map((name) => [name, requestRates])) },
		lostHints: 5,
		offsets: {},
		ownClock: replicas === 1,
		// The last night is quiet.
		calmAt: days * day - 4 * hour,
	};
}

const usual = {
	after: 0,
	board: undefined,
	renew: true,
	progress: false,
	timeout: undefined,
	abortAfter: undefined,
	end: 'release',
	steps: [],
} as const;

/** Each morning the operator looks after boards that have failed. The first day is a Monday that begins at midnight. */
function roundsOf(days: number): Job[] {
	return Array.from({ length: days }, (_, at) => ({
		...usual,
		type: '',
		minutes: undefined,
		waitSeconds: 0,
		steps: [],
		from: at * day + 7 * hour,
		repairs: true,
	}));
}

/** One of four users is a CI server, with a run each night; the others are developers. */
function userOf({ seed, days, jobs }: Scale, index: number): User {
	const random = randomOf(seed, 'user', index);
	const isServer = index % 4 === 0;
	const daily = (_: unknown, at: number) => {
		const isWorking = at % 7 < 5;
		const count = isWorking ? between(random, 0, 2 * jobs) : 0;
		const times = Array.from({ length: count }, () => between(random, 8 * 60, 18 * 60) * minute);
		const nightly = isServer ? [2 * hour + between(random, 0, 30 * minute)] : [];
		return [...nightly, ...times.sort((one, other) => one - other)].map((time) => ({
			...(isServer ? test(random) : session(random)),
			from: at * day + time,
		}));
	};
	return {
		name: `${isServer ? 'ci' : 'developer'}-${index}`,
		account: index + 1,
		jobs: Array.from({ length: days }, daily).flat(),
		watches: index % 10 === 1 ? 'own' : undefined,
	};
}

function test(random: Random): Job {
	return {
		...usual,
		steps: [],
		type: weighted(random, { ...types, fpga: 10 }),
		minutes: 5,
		waitSeconds: 3_600,
		tests: weighted(random, { passes: 85, fails: 10, hangs: 5 }),
	};
}

function session(random: Random): Job {
	const idle = () => ({ do: 'idle' as const, milliseconds: between(random, 10_000, 4 * minute) });
	const steps: Job['steps'] = [
		{ do: 'flash' },
		{ do: 'expect', milliseconds: 30_000 },
		{ do: 'read', milliseconds: between(random, 5_000, 60_000), lines: random() < 0.3 },
		{ do: 'write', units: between(random, 1, 5), size: between(random, 10, 40) },
		idle(),
		{ do: 'act', action: pick(random, ['reset', 'power'] as const) },
		{ do: 'expect', milliseconds: 30_000 },
		idle(),
	];
	return {
		...usual,
		steps: steps.slice(0, between(random, 2, steps.length)),
		type: weighted(random, { ...types, fpga: 5 }),
		minutes: random() < 0.5 ? undefined : between(random, 2, 15),
		waitSeconds: 1_800,
		end: random() < 0.97 ? 'release' : 'crash',
	};
}

/** On Tuesdays, one after the other. */
function upgrades(of: {
	agents: readonly string[];
	services: readonly string[];
	days: number;
}): Trouble[] {
	const names = [...of.services, ...of.agents];
	return Array.from({ length: Math.ceil((of.days - 1) / 7) }, (_, week) =>
		names.map(
			(who, index): Trouble => ({
				at: week * 7 * day + day + 10 * hour + index * 2 * minute,
				kind: 'kill',
				who,
				milliseconds: who.startsWith('service') ? 4_000 : 8_000,
				forgets: false,
			}),
		),
	).flat();
}

/** Twice a week, a machine is cut off, pauses or crashes. */
function outages(random: Random, names: readonly string[], days: number): Trouble[] {
	return Array.from({ length: Math.ceil((days * 2) / 7) }, (): Trouble => {
		const at = between(random, 0, days - 1) * day + between(random, 8 * 60, 18 * 60) * minute;
		const who = pick(random, names);
		const milliseconds = pick(random, [
			between(random, 1_000, 20_000),
			between(random, 20_000, 5 * minute),
		]);
		const kind = weighted(random, { cut: 5, pause: 2, kill: 3 });
		if (kind === 'pause') return { at, kind, who, milliseconds };
		if (kind === 'kill') return { at, kind, who, milliseconds, forgets: false };
		return { at, kind, who, milliseconds, mode: random() < 0.5 ? 'broken' : 'silent' };
	});
}

/** Once a month, the wall clock is set. */
function clocks(random: Random, days: number): Trouble[] {
	return Array.from({ length: Math.ceil(days / 30) }, (_, month) => ({
		at: Math.min(month * 30 + 9, days - 1) * day + 11 * hour + between(random, 0, 5 * hour),
		kind: 'clock',
		who: 'database',
		by: pick(random, [-3_600_000, -40_000, 40_000, 3_600_000]),
	}));
}

/** In the middle, at noon, the backup of the night before is restored. */
function restores(days: number): Trouble[] {
	if (days < 2) return [];
	return [
		{
			at: Math.floor(days / 2) * day + 12 * hour,
			kind: 'restore',
			who: 'database',
			age: 9 * hour,
		},
	];
}
