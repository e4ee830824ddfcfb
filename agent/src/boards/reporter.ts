// What the agent reports of the actions of a lease, and what it does when the service rejects it.
import { repeat } from '../link/repeat.ts';
import { type Report, ServiceError } from '../link/service.ts';
import type { SessionOptions } from './session.ts';

/** Sends the reports in order, each until the service responds. One that is outdated is skipped. */
export function createReporter(options: SessionOptions, signal: AbortSignal) {
	const { service, fence } = options;
	const latest = new Map<string, Report['status']>();
	/** The last reports that the service has. */
	const accepted = new Map<string, Omit<Report, 'fence'>>();
	let queue: Promise<void> = Promise.resolve();

	const send = async (actionId: string, report: Report) => {
		if (latest.get(actionId) === report.status) await service.report(actionId, report, signal);
	};
	const report = (actionId: string, report: Omit<Report, 'fence'>) => {
		latest.set(actionId, report.status);
		queue = queue
			.then(() => repeat(() => send(actionId, { fence, ...report }), signal))
			.then(() => void accepted.set(actionId, report))
			.catch((error: unknown) => onRejected(error, options, signal));
	};
	return {
		report,
		/** The service no longer has it after its backup was restored. */
		repeat(actionId: string) {
			const known = accepted.get(actionId);
			if (known === undefined || known.status === 'running') return;
			accepted.delete(actionId);
			report(actionId, known);
		},
	};
}

/** The service rejects reports for a lease that has ended. */
export function onRejected(
	error: unknown,
	{ boardId, log, onOver }: SessionOptions,
	signal: AbortSignal,
): void {
	if (signal.aborted) return;
	if (!(error instanceof ServiceError)) return;
	log.warn({ boardId, code: error.code, reason: error.message }, 'The service rejected a report');
	if (error.code === 'fence_outdated') onOver('the service has ended it');
}

export type Reporter = ReturnType<typeof createReporter>;
