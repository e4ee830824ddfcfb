// On a loaded machine, an event may be late: `vi.waitFor` is as patient as `expect.poll`.
import { vi } from 'vitest';

const waitFor = vi.waitFor;
const patient = { timeout: 15_000, interval: 20 };

Object.assign(vi, {
	waitFor: <Result>(work: () => Result | Promise<Result>, options: number | object = patient) =>
		waitFor(work, typeof options === 'number' ? options : { ...patient, ...options }),
} satisfies Partial<typeof vi>);
