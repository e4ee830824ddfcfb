import { onTestFinished, vi } from 'vitest';
import type { Database } from '../../src/database/database.ts';

/** Makes all clocks show a later time until the test ends; timers go on as they are. */
export function passMinutes(minutes: number) {
	setWallClock(minutes);
	passSeconds(minutes * 60);
}

/** Sets the wall clock forward, or back; no time passes. */
export function setWallClock(minutes: number) {
	vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + minutes * 60_000 });
}

let passed = 0;

/** Makes the clock that measures durations show a later time until the test ends; timers go on as they are. */
export function passSeconds(seconds: number) {
	passed += seconds * 1000;
	if (vi.isMockFunction(performance.now)) return;
	const now = performance.now.bind(performance);
	const spy = vi.spyOn(performance, 'now').mockImplementation(() => now() + passed);
	onTestFinished(() => {
		spy.mockRestore();
		passed = 0;
	});
}

/** Controls the clock by which leases end. Time that passes is no pause of the service. */
export function controlClock({ clock, query }: Database) {
	let ahead = 0;
	Object.assign(clock, { now: () => Date.now() + ahead, awakeFor: () => 1e9 });
	return {
		/** Passes time in which all agents were silent. */
		pass(seconds: number) {
			ahead += seconds * 1000;
		},
		/** Passes time at the end of which all agents were heard. */
		async passHeard(seconds: number) {
			const last_seen_at = new Date(clock.now() + seconds * 1000).toISOString();
			await query.updateTable('agents').set({ last_seen_at }).execute();
			ahead += seconds * 1000;
		},
	};
}
