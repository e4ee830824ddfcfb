// When something was wrong with a process, which excuses it from some rules.
import type { Simulation } from './simulation.ts';

interface Interval {
	from: number;
	to: number;
	/** Whether the process could not be reached at all. */
	away: boolean;
	/** Whether it could not be reached, and ran nevertheless. */
	isCut: boolean;
}

const lossAfter = 30_000;
/** Too short for a request that began before to be repeated. */
const moment = 10_000;

export class Troubles {
	readonly #simulation: Simulation;
	readonly #byName = new Map<string, Interval[]>();
	readonly #boards: ReadonlyMap<string, string | undefined>;
	readonly #services: readonly string[];
	/** Agents that have started anew, and when. */
	readonly #restarts = new Map<string, number>();
	readonly #replaced = new Set<string>();
	readonly #twins = new Set<string>();
	hasBoardFaults = false;

	constructor(
		simulation: Simulation,
		{
			boards,
			services,
		}: { boards: ReadonlyMap<string, string | undefined>; services: readonly string[] },
	) {
		this.#simulation = simulation;
		this.#boards = boards;
		this.#services = services;
	}

	/** Something is wrong from now on; infinitely long until it is told to be over. */
	add(name: string, milliseconds: number, { away = false, isCut = false } = {}) {
		const from = this.#simulation.now;
		const intervals = this.#byName.get(name) ?? [];
		intervals.push({ from, to: from + milliseconds, away, isCut });
		this.#byName.set(name, intervals);
	}

	/** What is killed is no longer paused: it may start again sooner. */
	killed(name: string) {
		const { now } = this.#simulation;
		for (const interval of this.#byName.get(name) ?? []) {
			if (interval.away && !interval.isCut) interval.to = Math.min(interval.to, now);
		}
	}

	restarted(agent: string) {
		this.#restarts.set(agent, this.#simulation.now);
	}

	/** Whether the agent of a board was restarted, or another one waits for its place. */
	restartedSince(board: string, since: number) {
		return (this.#restarts.get(this.#boards.get(board) ?? '') ?? Number.NEGATIVE_INFINITY) > since;
	}

	/** Whether nothing was wrong with an agent for so long that another one with its token cannot get in. */
	isSteady(agent: string) {
		return this.quietFor(agent) >= Math.min(60_000, this.#simulation.now);
	}

	/** Another agent with its token waits for the moment at which this one is not connected. */
	hasTwin(agent: string) {
		this.#twins.add(agent);
	}

	/** Another agent has the boards of this one: nothing is expected of it any more. */
	replaced(agent: string) {
		this.add(agent, Number.POSITIVE_INFINITY, { away: true });
		this.#replaced.add(agent);
	}

	/** What was over by then excuses nothing any more. */
	forget(before: number) {
		for (const [name, intervals] of this.#byName) {
			this.#byName.set(
				name,
				intervals.filter(({ to }) => to > before),
			);
		}
	}

	/** Nothing is wrong from now on. */
	end() {
		for (const [name, intervals] of this.#byName) {
			if (this.#replaced.has(name)) continue;
			for (const interval of intervals) interval.to = Math.min(interval.to, this.#simulation.now);
		}
	}

	/** For how long nothing was wrong with a process and the services. */
	quietFor(name: string) {
		return Math.min(this.#quiet(name), this.servicesQuietFor());
	}

	servicesQuietFor() {
		return Math.min(...this.#services.map((name) => this.#quiet(name)), this.#quiet('database'));
	}

	agentOf(board: string) {
		return this.#boards.get(board) ?? '';
	}

	boardQuietFor(board: string) {
		return this.quietFor(this.agentOf(board));
	}

	/** For how long the process was not stopped. */
	runningFor(name: string) {
		return this.#quiet(name, ({ away }) => away);
	}

	/** Whether a process could reach no service during all of this time. */
	awaySince(name: string, since: number) {
		const isAway = (each: string) =>
			(this.#byName.get(each) ?? []).some(
				({ from, to, away }) => away && from <= since && to >= this.#simulation.now,
			);
		return isAway(name) || this.#services.every(isAway);
	}

	/** Whether a process could not reach a service for as long lately, or only for moments. */
	wasAwayFor(name: string, milliseconds: number) {
		const { now } = this.#simulation;
		return this.#services.some((service) => {
			const troubles = [name, service]
				.flatMap((each) => this.#byName.get(each) ?? [])
				.filter(({ away }) => away)
				.sort((one, other) => one.from - other.from);
			let since = 0;
			let until = Number.NEGATIVE_INFINITY;
			return troubles.some(({ from, to }) => {
				if (from > until + moment) since = from;
				until = Math.max(until, Math.min(to, now));
				return to > now - 60_000 && until - since >= milliseconds;
			});
		});
	}

	/** Whether the agent of a board may count as lost: it restarted, or was away for the whole limit. */
	excusesLoss(board: string, since: number) {
		const agent = this.#boards.get(board);
		if (agent === undefined) return false;
		const { now } = this.#simulation;
		if (this.restartedSince(board, since)) return true;
		if (this.#twins.has(agent) && !this.isSteady(agent)) return true;
		// A service that stands still hears nobody, and knows it; but another one may judge meanwhile.
		const isAlone = this.#services.length === 1;
		const ofServices = this.#services
			.flatMap((name) => this.#byName.get(name) ?? [])
			.filter(({ isCut }) => isCut || !isAlone);
		const away = [...(this.#byName.get(agent) ?? []), ...ofServices]
			.filter((interval) => interval.away && interval.to > now - lossAfter - 20_000)
			.map(({ from, to }) => ({ from, to: Math.min(to, now) }))
			.sort((one, other) => one.from - other.from);
		let start = Number.NEGATIVE_INFINITY;
		let end = Number.NEGATIVE_INFINITY;
		let longest = 0;
		for (const { from, to } of away) {
			// Between two troubles that follow each other there is no time to connect.
			if (from > end + 6_000) start = from;
			end = Math.max(end, to);
			longest = Math.max(longest, end - start);
		}
		return longest >= lossAfter - 6_000;
	}

	#quiet(name: string, counts: (interval: Interval) => boolean = () => true) {
		const { now } = this.#simulation;
		const last = (this.#byName.get(name) ?? [])
			.filter(counts)
			.reduce((latest, { to }) => Math.max(latest, to), 0);
		return Math.max(0, now - last);
	}
}
