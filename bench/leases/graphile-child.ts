// The queue that our lease is compared with: adds, takes and completes one job, as its users do it.
import { Logger, makeWorkerUtils, run } from 'graphile-worker';
import type { Repeated, Repetition } from './yardstick.ts';

const { connectionString, concurrency } = JSON.parse(process.argv[2] ?? '') as {
	connectionString: string;
	concurrency: number;
}; // as started

const logger = new Logger(() => () => {});
const utils = await makeWorkerUtils({ connectionString, logger });
await utils.migrate();
const runner = await run({
	...{ connectionString, concurrency, logger, noHandleSignals: true },
	taskList: { job: async () => {} },
});
const waiting = new Map<string, () => void>();
const done = new Set<string>();
// Emitted when the end of the job is written to the database.
runner.events.on('job:complete', ({ job }) => {
	const resolve = waiting.get(job.id);
	if (resolve) resolve();
	else done.add(job.id);
	waiting.delete(job.id);
});

async function job() {
	const { id } = await utils.addJob('job', { text: 'hello' });
	if (done.delete(id)) return;
	await new Promise<void>((resolve) => waiting.set(id, resolve));
}

async function repeat({ loops, seconds }: Repetition): Promise<Repeated> {
	const times: number[] = [];
	const end = performance.now() + seconds * 1000;
	const loop = async () => {
		while (performance.now() < end) {
			const startedAt = performance.now();
			await job();
			times.push(performance.now() - startedAt);
		}
	};
	await Promise.all(Array.from({ length: loops }, loop));
	return { times };
}

process.on('message', async (repetition: Repetition) => {
	process.send?.(await repeat(repetition));
});
process.on('disconnect', () => process.exit());
process.send?.('ready');
