// Workers on all cores, each replaced after some histories.
import { type ChildProcess, fork } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Bundles } from './bundle.ts';
import type { Report, Task } from './worker.ts';

const perWorker = 1000;
/** A history that takes longer hangs in a loop that never ends. */
const maxSilence = 100_000;

const script = fileURLToPath(new URL('./worker.ts', import.meta.url));

export interface Pool {
	/** Runs every task, and calls back with each report. Ends early when that returns `false`. */
	run(tasks: Iterable<Task>, onReport: (report: Report) => unknown): Promise<void>;
	runOne(task: Task): Promise<Report>;
	close(): Promise<void>;
}

export async function createPool(bundles: Bundles, jobs: number): Promise<Pool> {
	const folder = await mkdtemp(join(tmpdir(), 'board-access-model-'));
	const file = join(folder, 'bundles.json');
	await writeFile(file, JSON.stringify(bundles));
	const start = () => startWorker(file);
	const run: Pool['run'] = async (tasks, onReport) => {
		const iterator = tasks[Symbol.iterator]();
		let goesOn = true;
		const work = async () => {
			let worker: Worker | undefined;
			while (goesOn) {
				const { done, value } = iterator.next();
				if (done) break;
				worker ??= start();
				const report = await worker.run(value);
				if (onReport(report) === false) goesOn = false;
				if (worker.isSpent) worker = worker.stop();
			}
			worker?.stop();
		};
		await Promise.all(Array.from({ length: jobs }, work));
	};
	return {
		run,
		async runOne(task) {
			const reports: Report[] = [];
			await run([task], (report) => reports.push(report));
			const [report] = reports;
			if (!report) throw new Error(`The history ${task.seed} gave no report`);
			return report;
		},
		close: () => rm(folder, { recursive: true, force: true }),
	};
}

interface Worker {
	run(task: Task): Promise<Report>;
	stop(): undefined;
	readonly isSpent: boolean;
}

function startWorker(file: string): Worker {
	const child = fork(script, [file], {
		// Most of what a history makes is soon gone.
		execArgv: ['--max-semi-space-size=64'],
		stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
	});
	const ready = new Promise<void>((resolve, reject) => {
		child.once('message', () => resolve());
		child.once('exit', (code) => reject(new Error(`A worker ended with ${code}`)));
	});
	let histories = 0;
	let isOver = false;
	return {
		get isSpent() {
			return histories >= perWorker || isOver;
		},
		async run(task) {
			histories += 1;
			await ready;
			const report = await reportOf(child, task);
			isOver = child.killed || !child.connected;
			return report;
		},
		stop() {
			child.kill('SIGKILL');
			return undefined;
		},
	};
}

function reportOf(child: ChildProcess, task: Task) {
	return new Promise<Report>((resolve) => {
		const settle = (report: Report) => {
			clearTimeout(timer);
			child.off('message', settle);
			child.off('exit', onExit);
			resolve(report);
		};
		const onExit = (code: number | null, signal: string | null) =>
			settle(broken(task, 'no process ends by itself', `ended with ${signal ?? code}`));
		const timer = setTimeout(() => {
			child.kill('SIGKILL');
			settle(broken(task, 'nothing spins', 'the history did not end'));
		}, maxSilence);
		child.on('message', settle);
		child.once('exit', onExit);
		child.send(task);
	});
}

function broken({ seed }: Task, rule: string, what: string): Report {
	const violations = [{ rule, what, at: 0 }];
	const outcome = { violations, faults: [], digest: 0, events: 0, time: 0, lines: undefined };
	return { seed, outcome, cost: 0 };
}
