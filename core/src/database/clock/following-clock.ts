// The service's time is counted by the monotonic clock, and follows the wall clock slowly.
import type { Db, Schema } from '../schema.ts';

export type Clock = Pick<FollowingClock, keyof FollowingClock>;

interface Source {
	db: Db;
	/** Reads the database's clock; absent on SQLite, where there is one process. */
	readWall?: (() => Promise<number>) | undefined;
}

/** A time of the wall clock, and the monotonic time before and after it was read. */
interface ClockReading {
	wall: number;
	sent: number;
	at: number;
}

interface Last extends ClockReading {
	changes: number;
}

/** How far the clock of a replica may be off, in milliseconds. */
export const maxSkew = 2_000;

/** How much faster or slower than real time the service's time may run: the rate by which NTP adjusts a clock. */
export const slewRate = 1 / 2_000;

/** The smallest difference that shows that a clock was set. */
const tolerance = 250;
const maxPause = 5_000;
/** A replica that has noticed no other for so long is the only one. */
const aloneAfter = 10_000;
/** How often the only process stores its time. */
const keptEvery = 60_000;

export function createClock(source?: Source): Clock {
	return new FollowingClock(source);
}

class FollowingClock {
	readonly #source: Source | undefined;
	/** By how much the service's time and the wall clock are ahead of the monotonic clock. */
	#ahead = Date.now() - performance.now();
	#wallAhead = this.#ahead;
	#last: Last | undefined;
	#othersAt = performance.now();
	#awake = this.now();
	#tick = this.#awake;

	constructor(source: Source | undefined) {
		this.#source = source;
		if (!source?.readWall) this.#othersAt = Number.NEGATIVE_INFINITY;
	}

	/** The service's time, in milliseconds since 1970. */
	now() {
		return Math.floor(performance.now() + this.#ahead);
	}

	/** The wall clock, on PostgreSQL the database's. For what is compared with the clocks of users. */
	wall() {
		return this.#source?.readWall ? Math.floor(performance.now() + this.#wallAhead) : Date.now();
	}

	/** To be called once a second. Returns by how many milliseconds the wall clock was set, unless another replica has. */
	async synchronize() {
		const step = this.#source ? await this.#synchronizeWith(this.#source) : 0;
		if (this.#isLate()) this.restart();
		this.#tick = this.now();
		return step;
	}

	/** For how many milliseconds this process has run, and reached the database, without a pause. */
	awakeFor() {
		return this.#isLate() ? 0 : this.now() - this.#awake;
	}

	/** Restarts that count. */
	restart() {
		this.#awake = this.now();
	}

	#isLate() {
		return Math.abs(this.now() - this.#tick) > maxPause;
	}

	async #synchronizeWith(source: Source) {
		const { db, readWall } = source;
		const kept = await keptTime(db);
		const sent = performance.now();
		const wall = Math.round(readWall ? await readWall() : Date.now());
		const reading = { wall, sent, at: performance.now() };
		this.#wallAhead = within(this.#wallAhead, wall, reading);
		const step = this.#last ? this.#follow(kept, reading, this.#last) : this.#start(kept, reading);
		if (this.#isAlone() && this.#wallAhead - this.#ahead > maxSkew && (await isIdle(db))) {
			this.#ahead = this.#wallAhead;
		}
		return (await this.#keep(source, kept, reading)) ? step : 0;
	}

	/** Adds the time while nothing ran, unless the machine starts with an earlier time. */
	#start(kept: KeptTime | undefined, { wall, at }: ClockReading) {
		const time = kept ? kept.time + Math.max(0, wall - kept.wall) : wall;
		this.#ahead = time - at;
		return 0;
	}

	/** Returns by how much the wall clock was set. */
	#follow(kept: KeptTime | undefined, reading: ClockReading, last: Last) {
		const passed = reading.at - last.at;
		const isByOthers = kept !== undefined && kept.changes !== last.changes;
		if (isByOthers) this.#othersAt = reading.at;
		const others = isByOthers ? timeOfOthers(kept, reading, passed) : undefined;
		if (others !== undefined) {
			// The times differ after this replica was suspended.
			this.#ahead = within(this.#ahead, others, reading, tolerance);
		}
		const max = passed * slewRate;
		this.#ahead += Math.min(Math.max(this.#wallAhead - this.#ahead, -max), max);
		return others === undefined ? stepBetween(last, reading) : 0;
	}

	#isAlone() {
		return performance.now() - this.#othersAt > aloneAfter;
	}

	/** Stores the time, unless another replica has done so meanwhile. */
	async #keep({ db, readWall }: Source, kept: KeptTime | undefined, reading: ClockReading) {
		const time = Math.round(reading.at + this.#ahead);
		const next = { time, wall: reading.wall, changes: (kept?.changes ?? 0) + 1 };
		// A replica that has just started cannot tell whether the clock was set.
		const isDue = !kept || (this.#last && (readWall || isOutdated(kept, next)));
		const isKept = isDue ? await keepTime(db, next) : false;
		this.#last = { ...reading, changes: isKept ? next.changes : next.changes - 1 };
		return isKept;
	}
}

/** The time of other replicas, if they have counted until now, and the wall clock was not set since. */
function timeOfOthers(kept: KeptTime, { wall, sent, at }: ClockReading, passed: number) {
	const age = wall - kept.wall;
	return age >= 0 && age <= passed + at - sent + tolerance ? kept.time + age : undefined;
}

/** By how much the wall clock was certainly set between two readings. */
function stepBetween(last: ClockReading, { wall, sent, at }: ClockReading) {
	const step = wall - last.wall - (at - last.at);
	const uncertainty = at - sent + (last.at - last.sent);
	return Math.abs(step) > tolerance + uncertainty ? step : 0;
}

function isOutdated(kept: KeptTime, next: KeptTime) {
	const age = next.wall - kept.wall;
	const passed = next.time - kept.time;
	return age < 0 || age > keptEvery || Math.abs(age - passed) > tolerance;
}

/** The nearest offset that fits a reading, which was made between two moments. */
function within(ahead: number, time: number, { sent, at }: ClockReading, margin = 0) {
	return Math.min(Math.max(ahead, time - at - margin), time - sent + margin);
}

/** The service's time and the wall clock at one moment, in milliseconds since 1970, and how often they were stored. */
type KeptTime = Omit<Schema['service_time'], 'id'>;

export function keptTime(db: Db): Promise<KeptTime | undefined> {
	return db.selectFrom('service_time').select(['time', 'wall', 'changes']).executeTakeFirst();
}

/** Stores the time, and returns whether no other replica was faster. */
async function keepTime(db: Db, next: KeptTime) {
	const kept = await db
		.insertInto('service_time')
		.values({ id: 1, ...next })
		.onConflict((conflict) =>
			conflict
				.column('id')
				.doUpdateSet(next)
				.where('service_time.changes', '=', next.changes - 1),
		)
		.returning('id')
		.executeTakeFirst();
	return kept !== undefined;
}

/** Whether no lease waits or is active. */
async function isIdle(db: Db) {
	const live = db.selectFrom('leases').select('id').where('status', '<>', 'ended').limit(1);
	return (await live.executeTakeFirst()) === undefined;
}
