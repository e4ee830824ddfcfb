// The service's time, which all replicas share. Every stored time is in it.
import { type Clock, createClock, slewRate } from './clock/following-clock.ts';
import type { Db } from './schema.ts';

export { type Clock, createClock, maxSkew, slewRate } from './clock/following-clock.ts';

/** How far the clock of this process is ahead of the service's time or the database's clock, whichever is nearer. */
export function skewOf(clock: Clock) {
	const fromTime = Date.now() - clock.now();
	const fromWall = Date.now() - clock.wall();
	return Math.abs(fromTime) < Math.abs(fromWall) ? fromTime : fromWall;
}

export function describeSkew(skew: number) {
	const seconds = (Math.abs(skew) / 1000).toFixed(1);
	return `The clock of this replica is ${seconds} s ${skew > 0 ? 'ahead of' : 'behind'} the database's and the service's.`;
}

export function describeStep(step: number) {
	const seconds = (Math.abs(step) / 1000).toFixed(1);
	const follows = `The service's time follows by ${slewRate * 3600} s an hour`;
	return step > 0
		? `The clock was set forward by ${seconds} s. ${follows}, and at once when no lease waits or is active.`
		: `The clock was set back by ${seconds} s. ${follows}.`;
}

// By adapter, which transactions share with their database.
const clocks = new WeakMap<object, Clock>();

const own = createClock();

/** Makes this the clock of a database and of its transactions. */
export function setClock(db: Db, clock: Clock) {
	clocks.set(db.getExecutor().adapter, clock);
}

export function clockOf(db: Db): Clock {
	return clocks.get(db.getExecutor().adapter) ?? own;
}

/** The service's time as text, or a time this many milliseconds later. */
export function timeIn(db: Db, later = 0) {
	return timestamp(clockOf(db).now() + later);
}

/** A time in the format of the API and the database. */
export function timestamp(milliseconds: number) {
	return new Date(milliseconds).toISOString();
}
