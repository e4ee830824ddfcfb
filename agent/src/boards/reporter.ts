// What the agent reports of the actions of a lease, and what it does when the service rejects it.
import { type Report, repeat, ServiceError } from '../link/service.ts';
import type { LeaseOptions } from './served-lease.ts';

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
		/** The service does not have the end: it rejected it, or an older backup was restored. */
		repeat(actionId: string) {
			const known = latest.get(actionId);
			if (!known || known.isPending || known.report.status === 'running') return;
			report(actionId, known.report);
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
