import { vi } from 'vitest';

/** Makes the service's clock show a later time; timers go on as they are. */
export function passMinutes(minutes: number) {
	vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + minutes * 60_000 });
}
