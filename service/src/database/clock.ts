// The database's clock: replicas whose own clocks differ decide by one time.
import type { Db } from './schema.ts';

export interface Clock {
	/** Milliseconds since 1970. */
	now(): number;
	/** Follows the clock of the database; to be called once a second. */
	synchronize(): Promise<void>;
	/** For how many milliseconds requests have reached this process, and it the database, without a pause. */
	awakeFor(): number;
	/** Counts that time from now on. */
	restart(): void;
}

/** How far the clock of a replica may be off, in milliseconds. */
export const mostSkew = 2_000;

const longestPause = 5_000;

/** Keeps the time that `read` returns, which comes from the database. Without it, the time of the process. */
export function createClock(read?: () => Promise<number>): Clock {
	let offset = Date.now() - performance.now();
	const now = () => (read ? performance.now() + offset : Date.now());
	let awake = now();
	let last = awake;
	const isLate = () => Math.abs(now() - last) > longestPause;
	return {
		now,
		async synchronize() {
			const sent = performance.now();
			const time = await read?.();
			// The database read its clock at some time in between.
			if (time !== undefined) {
				offset = Math.min(Math.max(offset, time - performance.now()), time - sent);
			}
			if (isLate()) awake = now();
			last = now();
		},
		awakeFor: () => (isLate() ? 0 : now() - awake),
		restart() {
			awake = now();
		},
	};
}

/** How far the clock of this process is ahead of the database's, in milliseconds. */
export function skewOf(clock: Clock) {
	return Date.now() - clock.now();
}

/** The difference between the clock of this process and the database's, as a sentence. */
export function describeSkew(skew: number) {
	const seconds = (Math.abs(skew) / 1000).toFixed(1);
	return `The clock of this replica is ${seconds} s ${skew > 0 ? 'ahead of' : 'behind'} the database's.`;
}

// Transactions share the adapter of their database.
const clocks = new WeakMap<object, Clock>();

const own = createClock();

/** Makes this the clock of a database and of its transactions. */
export function setClock(db: Db, clock: Clock) {
	clocks.set(db.getExecutor().adapter, clock);
}

export function clockOf(db: Db): Clock {
	return clocks.get(db.getExecutor().adapter) ?? own;
}

/** The time by the clock of the database, or this many milliseconds later, as text. */
export function timeIn(db: Db, later = 0) {
	return timestamp(clockOf(db).now() + later);
}

/** A time in the format of the API and the database. */
export function timestamp(milliseconds: number) {
	return new Date(milliseconds).toISOString();
}
