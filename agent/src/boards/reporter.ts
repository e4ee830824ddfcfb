// What the agent reports of the actions of a lease, and what it does when the service rejects it.
import { type Report, repeat, ServiceError } from '../link/service.ts';
import type { LeaseOptions } from './served-lease.ts';

/** Only the end of an action is reported if it comes within this time, in milliseconds. */
const shortAction = 250;

/** From one report of progress to the next, in milliseconds. */
const progressPace = 1_000;

/** Sends the reports in order, each until the service responds. One that is outdated is skipped. */
export function createReporter(options: LeaseOptions, signal: AbortSignal) {
	const { service, fence } = options;
	const latest = new Map<string, { readonly report: Omit<Report, 'fence'>; isPending: boolean }>();
	let queue: Promise<void> = Promise.resolve();

	const report = (actionId: string, report: Omit<Report, 'fence'>) => {
		const entry = { report, isPending: true };
		latest.set(actionId, entry);
		const send = async () => {
			if (latest.get(actionId) === entry)
				await service.report(actionId, { fence, ...report }, signal);
		};
		queue = queue
			.then(() => repeat(send, signal))
			.catch((error: unknown) => onRejected(error, options, signal))
			.then(() => {
				entry.isPending = false;
			});
	};
	return {
		report,
		/** Reports that an action runs, and how far its flash tool is. */
		running: (actionId: string) =>
			createRunning((progress) => report(actionId, { status: 'running', message: '', progress })),
		/** The service does not have the end: it rejected it, or an older backup was restored. */
		repeat(actionId: string) {
			const known = latest.get(actionId);
			if (!known || known.isPending || known.report.status === 'running') return;
			report(actionId, known.report);
		},
	};
}

/** Sends the percentage that is known after a while, and then each second if it has changed. */
function createRunning(send: (percent: number | undefined) => void) {
	let percent: number | undefined;
	let sent: number | undefined;
	const sendChange = () => {
		if (percent !== sent) send(percent);
		sent = percent;
	};
	let timer = setTimeout(() => {
		sent = percent;
		send(percent);
		timer = setInterval(sendChange, progressPace);
	}, shortAction);
	return {
		onProgress(next: number) {
			percent = next;
		},
		/** Nothing is sent from now on. Returns the progress of an action that is done. */
		end() {
			clearTimeout(timer); // of an interval, too
			return percent === undefined ? undefined : 100;
		},
	};
}

/** The service rejects reports for a lease that has ended. */
export function onRejected(
	error: unknown,
	{ boardId, log, onOver }: LeaseOptions,
	signal: AbortSignal,
): void {
	if (signal.aborted || !(error instanceof ServiceError)) return;
	log.warn({ boardId, code: error.code, reason: error.message }, 'The service rejected a report');
	if (error.code === 'fence_outdated') onOver('the service has ended it');
}
