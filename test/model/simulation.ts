// Virtual time: one heap of events, and processes that can be paused and killed.
import { hashOf, type Random, randomOf } from './random.ts';

/** The wall clock of every history begins here. */
const epoch = Date.parse('2026-01-05T08:00:00Z');

/** Events in a turn of the real event loop. */
const perTurn = 100;

// As Node.js itself does after each callback. The types leave it out.
const { _tickCallback: runMicrotasks } = process as unknown as { _tickCallback(): void };

/** The most looks at a clock within one event. */
const maxLooks = 20_000;

export interface SimulatedEvent {
	time: number;
	number: number;
	readonly process: Process | undefined;
	run: (() => void) | undefined;
}

/** What runs on a machine of its own: with its own clock, timers and randomness. */
export class Process {
	readonly name: string;
	readonly simulation: Simulation;
	readonly random: Random;
	readonly startedAt: number;
	alive = true;
	paused = false;
	/** What its wall clock is ahead of virtual time, in milliseconds. */
	offset: number;
	/** How fast its clocks run. */
	readonly rate: number;
	/** Events that came during a pause. */
	readonly deferred: SimulatedEvent[] = [];

	constructor(
		simulation: Simulation,
		{
			name,
			random,
			offset = 0,
			rate = 1,
		}: { name: string; random: Random; offset?: number; rate?: number },
	) {
		this.simulation = simulation;
		this.name = name;
		this.random = random;
		this.startedAt = simulation.now;
		this.offset = offset;
		this.rate = rate;
	}

	/** Milliseconds since it started, by its own clock. */
	get uptime() {
		this.simulation.noteLook(this);
		return (this.simulation.now - this.startedAt) * this.rate;
	}

	get wallClock() {
		return epoch + this.startedAt + this.uptime + this.offset;
	}

	/** Runs later, by its own clock, unless it is killed. */
	after(milliseconds: number, run: () => void) {
		return this.simulation.after(milliseconds / this.rate, run, this);
	}

	pause() {
		this.paused = true;
	}

	resume() {
		this.paused = false;
		for (const event of this.deferred.splice(0)) this.simulation.again(event);
	}

	kill() {
		this.alive = false;
		this.deferred.length = 0;
	}
}

export class Simulation {
	readonly seed: string;
	now = 0;
	/** How many events have run. */
	events = 0;
	/** A digest of all that happened: equal for equal histories. */
	digest = 0;
	/** Lines of what happened, if they are wanted. */
	readonly lines: string[] | undefined;
	/** The process whose event runs. */
	current: Process | undefined;
	/** Called once for a process that never lets go. */
	onSpin: (process: Process) => void = () => {};
	/** The time by which the services decide. */
	serviceTime = () => epoch + this.now;
	#looks = 0;
	readonly #heap: SimulatedEvent[] = [];
	#number = 0;
	#ended = false;

	constructor(seed: string, { trace = false } = {}) {
		this.seed = seed;
		this.lines = trace ? [] : undefined;
	}

	/** Virtual time as the services write it. */
	timestamp(time = this.now) {
		return new Date(this.serviceTime() + time - this.now).toISOString();
	}

	/** The virtual time of what the services have written. */
	timeOf(timestamp: string) {
		return Date.parse(timestamp) - this.serviceTime() + this.now;
	}

	random(...names: readonly (string | number)[]) {
		return randomOf(this.seed, ...names);
	}

	after(milliseconds: number, run: () => void, process?: Process): SimulatedEvent {
		const event = {
			time: this.now + Math.max(0, milliseconds),
			number: this.#number++,
			process,
			run,
		};
		this.#push(event);
		return event;
	}

	at(time: number, run: () => void, process?: Process): SimulatedEvent {
		return this.after(time - this.now, run, process);
	}

	/** Runs the event now, after all that are due now. */
	again(event: SimulatedEvent) {
		event.time = this.now;
		event.number = this.#number++;
		this.#push(event);
	}

	note(text: string) {
		// A sum, because the order of what happens at the same moment says nothing.
		this.digest = (this.digest + hashOf(`${this.now} ${text}`)) | 0;
		this.lines?.push(`${(this.now / 1000).toFixed(3).padStart(9)}  ${text}`);
	}

	/** A process that looks at its clock without end, within one event, is stuck: timers never fire. */
	noteLook(process: Process) {
		this.#looks += 1;
		if (this.#looks < maxLooks) return;
		if (this.#looks === maxLooks) this.onSpin(process);
		throw new Error(`${process.name} spins`);
	}

	end() {
		this.#ended = true;
	}

	/** When something is due that belongs to no process, such as a packet, an outage, or the start of a job. */
	nextOfWorld() {
		const times = this.#heap.flatMap(({ process, run, time }) => (process || !run ? [] : [time]));
		return times.reduce((first, time) => Math.min(first, time), Number.POSITIVE_INFINITY);
	}

	/** All processes stand still for some time: what they wait for comes as much later. */
	leap(milliseconds: number) {
		this.now += milliseconds;
		for (const event of this.#heap) if (event.process) event.time += milliseconds;
		// What is in order is a heap.
		this.#heap.sort((one, other) => (isBefore(one, other) ? -1 : 1));
	}

	/** How many timers the living processes have whose name begins so. */
	timersOf(name: string) {
		return this.#heap.filter(
			({ process, run }) => run && process?.alive && process.name.startsWith(name),
		).length;
	}

	/** Runs all events until the end, or until a moment. */
	run(until: number): Promise<void> {
		return new Promise((resolve, reject) => {
			const turn = () => {
				try {
					for (let count = 0; count < perTurn; count++) {
						if (!this.#next(until)) return resolve();
						// Everything that follows at once, which is much sooner than in a turn of the real event loop.
						runMicrotasks();
					}
					setImmediate(turn);
				} catch (error) {
					reject(error);
				}
			};
			setImmediate(turn);
		});
	}

	/** Runs the next event, if there is one. */
	#next(until: number) {
		const event = this.#pop();
		if (!event || event.time > until || this.#ended) return false;
		const { process, run } = event;
		if (!run || process?.alive === false) return true;
		if (process?.paused) {
			process.deferred.push(event);
			return true;
		}
		this.now = event.time;
		this.current = process;
		this.events += 1;
		this.#looks = 0;
		run();
		return true;
	}

	#push(event: SimulatedEvent) {
		const heap = this.#heap;
		let index = heap.length;
		heap.push(event);
		while (index > 0) {
			const parent = (index - 1) >> 1;
			const above = heap[parent] as SimulatedEvent; // within the heap
			if (!isBefore(event, above)) break;
			heap[index] = above;
			index = parent;
		}
		heap[index] = event;
	}

	#pop(): SimulatedEvent | undefined {
		const heap = this.#heap;
		const first = heap[0];
		const last = heap.pop();
		if (!first || !last || heap.length === 0) return first;
		let index = 0;
		for (;;) {
			let child = 2 * index + 1;
			if (child >= heap.length) break;
			const right = heap[child + 1];
			if (right && isBefore(right, heap[child] as SimulatedEvent)) child += 1;
			const below = heap[child] as SimulatedEvent; // within the heap
			if (!isBefore(below, last)) break;
			heap[index] = below;
			index = child;
		}
		heap[index] = last;
		return first;
	}
}

function isBefore(one: SimulatedEvent, other: SimulatedEvent) {
	return one.time < other.time || (one.time === other.time && one.number < other.number);
}
