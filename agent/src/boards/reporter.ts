// Reports the actions of a lease to the service.
import { type Report, repeat, ServiceError } from '../link/service.ts';
import type { LeaseOptions } from './served-lease.ts';

/** Of a shorter action, only the end is reported. In milliseconds. */
const shortAction = 250;

const progressPace = 1_000;

/** Sends the reports in order. Skips outdated ones. */
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
		running: (actionId: string) =>
			createRunning((progress) => report(actionId, { status: 'running', message: '', progress })),
		/** Reports the end again: the service rejected it, or was restored from a backup. */
		repeat(actionId: string) {
			const known = latest.get(actionId);
			if (!known || known.isPending || known.report.status === 'running') return;
			report(actionId, known.report);
		},
	};
}

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
		/** Stops. Returns the progress of an action that is done. */
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
