// One lease on one board: carries out its actions one after the other, and ends by the agent's own
// clock, even without a connection.
import { readFirmware } from 'board-access-contract/firmware';
import { AgentError, asAgent } from '../agent-error.ts';
import { backoff } from '../backoff.ts';
import type { BoardWork, ConsoleOutput, Hardware } from '../drivers/hardware.ts';
import { notice } from '../drivers/hardware.ts';
import { repeat } from '../link/repeat.ts';
import { type Report, type Service, ServiceError } from '../link/service.ts';
import type { WantedLease } from '../link/work.ts';
import type { AgentLog } from '../log.ts';
import { messageOf } from '../printable.ts';
import { wait } from '../time.ts';
import { createConsoleUpload } from './console-upload.ts';

type Action = WantedLease['actions'][number];

export interface SessionOptions {
	readonly boardId: string;
	readonly fence: number;
	readonly leaseId: string;
	readonly hardware: Hardware;
	readonly service: Service;
	readonly log: AgentLog;
	/** Resolves when the board is free for this session; may be repeated after a failure. */
	acquire(): Promise<void>;
	/** The session has to end, because the service has ended it or the agent gives it up by itself. */
	onOver(reason: string, released?: boolean): void;
}

export interface Session {
	update(lease: WantedLease): void;
	/** Releases the board. Settles when nothing of this session uses it any more. */
	end(): Promise<void>;
}

/** The longest time that fetching a file may take, in milliseconds. */
const longestDownload = 60_000;

/**
 * Beyond its end, because it may have been renewed while the agent cannot know. The service ends the
 * leases of a silent agent sooner, unless it was told to be more patient. The next lease of the board
 * comes through this agent too, and waits for the end of this one in any case.
 */
const longestHold = 60_000;

/** A timer of Node cannot wait longer. */
const longestTimer = 2 ** 31 - 1;

export function startSession(options: SessionOptions): Session {
	const { hardware, service, log, boardId, leaseId } = options;
	const controller = new AbortController();
	const { signal } = controller;
	const reporter = createReporter(options, signal);
	const upload = createConsoleUpload({
		signal,
		append: (offset, bytes, input) =>
			service.console({ leaseId, fence: options.fence, offset, bytes, input }, signal),
		onRefused: (error) => over(error, options, signal),
	});
	const opening = createOpening(options, upload.take, signal);
	const keepOpening = async () => {
		for (let attempt = 0; ; attempt++) {
			try {
				return await opening.open();
			} catch (error) {
				signal.throwIfAborted();
				const reason = messageOf(error);
				if (attempt === 0) {
					log.error({ boardId, leaseId, reason }, 'The board cannot be opened');
					upload.take(notice(`the board cannot be opened: ${reason}`));
				}
				if (!(error instanceof AgentError)) return;
			}
			await wait(backoff(attempt), signal);
		}
	};
	keepOpening().catch(() => {});

	const begun = new Set<string>();
	let wanted = new Set<string>();
	let accepted = 0;
	let deadline: NodeJS.Timeout | undefined;
	let queue: Promise<void> = Promise.resolve();

	const enqueue = (work: () => Promise<void>) => {
		queue = queue.then(async () => {
			if (!signal.aborted) await work();
		});
	};
	const carryOut = async (action: Action) => {
		if (!wanted.has(action.id)) return;
		reporter.report(action.id, { status: 'running', message: '' });
		try {
			await opening.open();
			const work = await workOf(action, options, signal);
			let begins: Promise<number | undefined> | undefined;
			const message = await hardware.perform(work, signal, () => {
				begins ??= upload.mark();
			});
			const console_offset = await begins;
			reporter.report(action.id, { status: 'done', message, console_offset });
		} catch (error) {
			const message = messageOf(error);
			const cause = error instanceof AgentError ? 'agent' : 'board';
			if (!signal.aborted) reporter.report(action.id, { status: 'failed', message, cause });
		}
	};
	const write = async (bytes: Uint8Array, end: number) => {
		try {
			await opening.open();
			await hardware.write(bytes);
		} catch (error) {
			if (!signal.aborted)
				upload.take(notice(`${bytes.length} bytes of input were lost: ${messageOf(error)}`));
		}
		upload.confirm(end);
	};

	return {
		update({ remaining_ms: remaining, actions, input }) {
			clearTimeout(deadline);
			const hold = Math.min(remaining + longestHold, longestTimer);
			deadline = setTimeout(options.onOver, hold, 'its time is up', true);
			wanted = new Set(actions.map(({ id }) => id));
			for (const action of actions) {
				if (begun.has(action.id)) reporter.repeat(action.id);
				else enqueue(() => carryOut(action));
				begun.add(action.id);
			}
			if (input === null) return;
			const bytes = Buffer.from(input.data, 'base64');
			const end = input.offset + bytes.length;
			const missing = input.offset - accepted;
			if (missing > 0) upload.take(notice(`${missing} bytes of input were lost`));
			if (end > accepted) enqueue(() => write(bytes.subarray(Math.max(0, -missing)), end));
			accepted = Math.max(accepted, end);
		},
		async end() {
			clearTimeout(deadline);
			controller.abort(new Error('The lease has ended'));
			await queue;
			await opening.close().catch((error: unknown) => {
				log.error({ boardId, leaseId, reason: messageOf(error) }, 'Releasing the board failed');
			});
		},
	};
}

/** Opens the board when it is first needed, and again after a failure. */
function createOpening(
	{ acquire, hardware }: SessionOptions,
	output: ConsoleOutput,
	signal: AbortSignal,
) {
	let opened: Promise<void> | undefined;
	let isTouched = false;
	const attempt = async () => {
		await acquire();
		signal.throwIfAborted();
		isTouched = true;
		await hardware.open(output);
	};
	return {
		open() {
			opened ??= attempt().catch((error: unknown) => {
				opened = undefined;
				throw error;
			});
			return opened;
		},
		/** Leaves a board alone that was never opened. */
		async close() {
			await opened?.catch(() => {});
			if (isTouched) await hardware.close();
		},
	};
}

async function workOf(
	{ action, file_id: fileId, flash_offset: offset }: Action,
	{ boardId, fence, hardware, service }: SessionOptions,
	signal: AbortSignal,
): Promise<BoardWork> {
	if (!hardware.actions.includes(action)) throw new Error(`This board does not support ${action}`);
	if (action !== 'flash') return { action };
	if (fileId === null) throw new Error('There is no file to flash');
	const limited = AbortSignal.any([signal, AbortSignal.timeout(longestDownload)]);
	const wantedFile = { fileId, boardId, fence };
	const bytes = await asAgent('The agent cannot download the file', () =>
		repeat(() => service.file(wantedFile, limited), limited),
	);
	return { action, file: { bytes, firmware: readFirmware(bytes) }, offset: offsetOf(offset) };
}

function offsetOf(text: string | null): number {
	if (text === null) return 0;
	if (!/^(0x[0-9a-f]{1,8}|\d{1,10})$/i.test(text)) throw new Error('The flash offset is invalid');
	return Number(text);
}

/** Sends the reports in order, each until the service responds. One that is outdated is skipped. */
function createReporter(options: SessionOptions, signal: AbortSignal) {
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
			.catch((error: unknown) => over(error, options, signal));
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
function over(error: unknown, { boardId, log, onOver }: SessionOptions, signal: AbortSignal): void {
	if (signal.aborted) return;
	if (!(error instanceof ServiceError)) return;
	log.warn({ boardId, code: error.code, reason: error.message }, 'The service rejected a report');
	if (error.code === 'fence_outdated') onOver('the service has ended it');
}
