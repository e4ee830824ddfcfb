// On a loaded machine, an event may be late: `vi.waitFor` is at least as patient as `expect.poll`.
import { vi } from 'vitest';

interface Options {
	timeout?: number;
	interval?: number;
}

const waitFor = vi.waitFor;
const least = 30_000;

Object.assign(vi, {
	waitFor: <Result>(work: () => Result | Promise<Result>, options: number | Options = {}) => {
		const { timeout = 0, interval = 20 } =
			typeof options === 'number' ? { timeout: options } : options;
		return waitFor(work, { timeout: Math.max(timeout, least), interval });
	},
} satisfies Partial<typeof vi>);
