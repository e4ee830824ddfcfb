// One lease on one board: carries out its actions one after the other, and ends by the agent's own
// clock, even without a connection.
import { readFirmware } from 'board-access-contract/firmware';
import { AgentError, asAgent } from '../agent-error.ts';
import { type BoardWork, type Hardware, notice } from '../drivers/hardware.ts';
import { repeat } from '../link/repeat.ts';
import type { AgentConnection, Service } from '../link/service.ts';
import type { WantedLease } from '../link/work.ts';
import type { AgentLog } from '../log.ts';
import { messageOf } from '../printable.ts';
import { ConsoleTracker } from './console-tracker.ts';
import { ConsoleUpload } from './console-upload.ts';
import { Opening } from './opening.ts';
import { createReporter, onRejected, type Reporter } from './reporter.ts';

type Action = WantedLease['actions'][number];

export interface SessionOptions {
	readonly boardId: string;
	readonly fence: number;
	readonly leaseId: string;
	/** The action with which the output of the lease begins; undefined if it begins at once. */
	readonly outputFrom: string | undefined;
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
	/** What the service must know of the lease at least. */
	readonly state: NonNullable<AgentConnection['boards'][string]['lease']>;
	/** Releases the board. Settles when nothing of this session uses it any more. */
	end(): Promise<void>;
}

/** The longest time that fetching a file may take, in milliseconds. */
const longestDownload = 60_000;

/**
 * Beyond its end, because it may have been renewed while the agent cannot know. The service ends the
 * leases of a silent agent sooner, unless it is configured to be more patient. The next lease of the board
 * comes through this agent too, and waits for the end of this one in any case.
 */
const longestHold = 60_000;

/** Bytes of input that are written at once: a slow board takes them while the next ones wait. */
const inputPiece = 1024;

/** A timer of Node cannot wait longer. */
const longestTimer = 2 ** 31 - 1;

/** What the work of a lease needs. */
interface Parts extends SessionOptions {
	readonly signal: AbortSignal;
	readonly reporter: Reporter;
	readonly upload: ConsoleUpload;
	readonly tracker: ConsoleTracker;
	readonly opening: Opening;
	/** Adds work, which begins when all earlier work has ended. */
	enqueue(work: () => Promise<void>): void;
}

export function startSession(options: SessionOptions): Session {
	const controller = new AbortController();
	const { signal } = controller;
	let queue: Promise<void> = Promise.resolve();
	const enqueue = (work: () => Promise<void>) => {
		queue = queue.then(async () => {
			if (!signal.aborted) await work();
		});
	};
	const parts = createParts(options, signal, enqueue);
	const input = inputOf(parts);
	const applyActions = actionsOf(parts, input.interrupt);
	let deadline: NodeJS.Timeout | undefined;
	return {
		update({ remaining_ms: remaining, actions, input: typed, sync = 0, output_from }) {
			if (output_from === undefined) parts.opening.outputBegins();
			clearTimeout(deadline);
			const hold = Math.min(remaining + longestHold, longestTimer);
			deadline = setTimeout(options.onOver, hold, 'its time is up', true);
			applyActions(actions);
			if (typed !== null) input.apply(typed);
			parts.upload.sync(sync);
		},
		get state() {
			return { id: options.leaseId, input: input.accepted, ...parts.upload.confirmed };
		},
		async end() {
			clearTimeout(deadline);
			controller.abort(new Error('The lease has ended'));
			await queue;
			await close(parts);
		},
	};
}

function createParts(
	options: SessionOptions,
	signal: AbortSignal,
	enqueue: Parts['enqueue'],
): Parts {
	const { leaseId, fence, service } = options;
	const upload = new ConsoleUpload({
		signal,
		append: (piece) => service.console({ leaseId, fence, ...piece }, signal),
		onRefused: (error) => onRejected(error, options, signal),
	});
	const tracker = new ConsoleTracker((state) => upload.report(state));
	const opening = new Opening({ ...options, upload, tracker, signal });
	opening.keepOpening().catch(() => {});
	return {
		...options,
		signal,
		reporter: createReporter(options, signal),
		upload,
		tracker,
		opening,
		enqueue,
	};
}

async function close({ opening, log, boardId, leaseId }: Parts) {
	await opening.close().catch((error: unknown) => {
		log.error({ boardId, leaseId, reason: messageOf(error) }, 'Releasing the board failed');
	});
}

/** Carries out each action once, unless the service no longer wants it when its turn comes. */
function actionsOf(parts: Parts, interruptInput: () => void) {
	const begun = new Set<string>();
	let wanted = new Set<string>();
	return (actions: readonly Action[]) => {
		wanted = new Set(actions.map(({ id }) => id));
		for (const action of actions) {
			if (begun.has(action.id)) {
				parts.reporter.repeat(action.id);
				continue;
			}
			begun.add(action.id);
			interruptInput();
			parts.enqueue(async () => {
				if (wanted.has(action.id)) await carryOut(action, parts, begun.size === 1);
			});
		}
	};
}

async function carryOut(action: Action, parts: Parts, isFirst: boolean) {
	const { reporter, opening, upload, tracker, hardware, signal } = parts;
	reporter.report(action.id, { status: 'running', message: '' });
	try {
		await opening.open();
		const work = await workOf(action, parts);
		let begins: Promise<number | undefined> | undefined;
		const outputBegins = () => {
			begins ??= upload.mark();
			// The firmware of the last lease prints on until a reset command has had its effect.
			if (!isFirst || work.action !== 'reset') opening.outputBegins(action.id);
		};
		const message = await tracker.during(() => hardware.perform(work, signal, outputBegins));
		opening.outputBegins(action.id);
		const console_offset = await begins;
		reporter.report(action.id, { status: 'done', message, console_offset });
	} catch (error) {
		const message = messageOf(error);
		const cause = error instanceof AgentError ? 'agent' : 'board';
		if (!signal.aborted) reporter.report(action.id, { status: 'failed', message, cause });
	}
}

/** Writes each byte of the console input once, at its offset. */
function inputOf(parts: Parts) {
	const state = { accepted: 0, apply, interrupt };
	let interruption = new AbortController();
	/** An action does not wait for a board that takes no input. */
	function interrupt() {
		interruption.abort();
		interruption = new AbortController();
	}
	function apply({ offset, data }: NonNullable<WantedLease['input']>) {
		const bytes = Buffer.from(data, 'base64');
		const end = offset + bytes.length;
		const missing = offset - state.accepted;
		if (missing > 0) parts.upload.take(notice(`${missing} bytes of input were lost`));
		const rest = bytes.subarray(Math.max(0, -missing));
		const hurry = AbortSignal.any([parts.signal, interruption.signal]);
		if (end > state.accepted) parts.enqueue(() => write({ bytes: rest, end, hurry }, parts));
		state.accepted = Math.max(state.accepted, end);
	}
	return state;
}

interface Input {
	readonly bytes: Uint8Array;
	/** The offset behind the bytes. */
	readonly end: number;
	readonly hurry: AbortSignal;
}

/** Confirms only what the board has taken, or what is marked as lost. */
async function write({ bytes, end, hurry }: Input, parts: Parts) {
	const { opening, hardware, upload, signal } = parts;
	let left = bytes.length;
	try {
		await opening.open();
		for (; left > 0; left = Math.max(0, left - inputPiece)) {
			upload.confirm(end - left);
			await hardware.write(bytes.subarray(-left).subarray(0, inputPiece), signal, hurry);
		}
	} catch (error) {
		// What a port has taken may still be sent after the write has timed out.
		const text = `${left} bytes of input may not have arrived: ${messageOf(error)}`;
		if (!signal.aborted) upload.take(notice(text));
	}
	upload.confirm(end);
}

async function workOf(
	{ action, file_id: fileId, flash_offset: offset }: Action,
	{ boardId, fence, hardware, service, signal }: Parts,
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
