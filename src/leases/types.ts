// Leases: a board for one account, and everything that is done with it.
import type {
	boardActions,
	consoleStatuses,
	leaseActionPhases,
	leaseActionStatuses,
	leaseEndReasons,
	leaseStatuses,
} from '../contract/lease.ts';
import type { BoardAccessError } from '../errors/base.ts';
import type { Listing, PageQuery } from '../http/list.ts';
import type { CreateOptions, RequestOptions } from '../settings/settings.ts';

/** The statuses of a lease, in their order. @useDeclaredType */
export type LeaseStatus = (typeof leaseStatuses)[number];

/** Why a lease has ended. @useDeclaredType */
export type LeaseEndReason = (typeof leaseEndReasons)[number];

/** What can be done with a board. @useDeclaredType */
export type BoardAction = (typeof boardActions)[number];

/** A lease in a list. Only `id` is always present; a service may leave the others out. */
export interface LeaseRecord {
	/** Identifies the lease: `lse_…`. */
	id: string;
	/** How far the lease has come. Of a {@link Lease} past its end, `unknown` until the service says more. */
	status?: LeaseStatus | (string & {}) | null;
	/** The board; null while the lease is queued. */
	boardId?: string | null;
	/** The board type. */
	boardType?: string | null;
	/** What the lease is for. */
	label?: string | null;
	/** The queue position, 1 is next; null unless the lease is queued. */
	queuePosition?: number | null;
	/** How many minutes it lasts unless it is renewed. */
	minutes?: number | null;
	/** When it was created. */
	createdAt?: string | null;
	/** When the board was ready to be used. */
	startedAt?: string | null;
	/** When it ends unless it is renewed; null until it is active, unless it renews itself. */
	expiresAt?: string | null;
	/** The milliseconds until then, counted from the response on. */
	expiresInMs?: number | null;
	/** When the preparation has failed if it is not done; null unless it is being prepared. */
	preparationExpiresAt?: string | null;
	/** When it ended. */
	endedAt?: string | null;
	/** Why it ended; `lease_not_found` if the service no longer knows it. */
	endReason?: LeaseEndReason | (string & {}) | null;
	/** Why it ended, as a sentence. */
	endMessage?: string | null;
	/** The credits it cost; null until it has ended. */
	credits?: number | null;
	/** Whether the agent reaches the console of the board; null if that is not known. */
	consoleStatus?: (typeof consoleStatuses)[number] | (string & {}) | null;
	/** Why the console is disconnected, as a sentence. */
	consoleMessage?: string | null;
	/** Since when it is disconnected. */
	consoleLostAt?: string | null;
	/** Before this offset of the console, output is missing, because the console was disconnected. */
	consoleGapOffset?: number | null;
	/** For how many milliseconds it was disconnected in all since the last action before. */
	consoleGapMs?: number | null;
}

/** One action on the board of a lease. Only `id` is always present. */
export interface LeaseAction {
	/** Identifies the action: `act_…`. */
	id: string;
	/** What it does. */
	action?: BoardAction | (string & {}) | null;
	/** Whether it prepares the board or was requested by the user of the lease. */
	phase?: (typeof leaseActionPhases)[number] | (string & {}) | null;
	/** The base image that it comes from. */
	name?: string | null;
	/** How far it has come. */
	status?: (typeof leaseActionStatuses)[number] | (string & {}) | null;
	/** What the agent reports. */
	message?: string | null;
	/** The offset of the console at which the output of this action begins; final once it is done. */
	consoleOffset?: number | null;
	/** When it was requested. */
	createdAt?: string | null;
	/** When it was done or had failed. */
	endedAt?: string | null;
}

/** The requested board: either `boardType` or `boardId`. */
export interface LeaseInput {
	/** Any board of this type. */
	boardType?: string | null | undefined;
	/** This specific board. */
	boardId?: string | null | undefined;
	/** How many minutes it lasts unless it is renewed. Default: 2 if it renews itself, otherwise 10. */
	minutes?: number | null | undefined;
	/** How many seconds to wait in the queue when no board is available. Default: 0. */
	waitSeconds?: number | null | undefined;
	/** What the lease is for. */
	label?: string | null | undefined;
	/** Whether the board must have an agent, without which it cannot be flashed. Default: false. */
	requiresAgent?: boolean | null | undefined;
}

/** How far a lease that is not active yet has come. */
export interface LeaseProgress {
	/** The lease. */
	lease: LeaseRecord;
	/** The actions that prepare the board; empty while the lease is queued. */
	steps: LeaseAction[];
}

/** What can be set when a lease is created. */
export interface LeaseCreateOptions extends CreateOptions {
	/** Whether it renews itself until it is released; while it waits for its board, it always does. Default: true. */
	renew?: boolean | undefined;
	/** Called when a renewal fails, once for failures in a row with the same code. Renewals go on. */
	onRenewFailed?: ((error: BoardAccessError) => void) | undefined;
	/** Called when the queue position, the status or a step changes. What it throws is ignored. */
	onProgress?: ((progress: LeaseProgress) => void) | undefined;
}

/** What can be set when a process takes over a lease. */
export interface LeaseAttachOptions
	extends RequestOptions,
		Pick<LeaseCreateOptions, 'renew' | 'onRenewFailed'> {}

/** Which leases to list. */
export interface LeaseQuery extends PageQuery {
	/** Only leases with this status. */
	status?: LeaseStatus | (string & {}) | undefined;
}

/** The content of a firmware file: Intel HEX, UF2, ELF or raw bytes. */
export type Firmware = Uint8Array | ArrayBuffer | Blob;

/** How far an action has come. */
export interface ActionProgress {
	/** What happens now. */
	step: 'uploading' | 'waiting';
	/** How many bytes of the file the service has. */
	bytes: number;
	/** The size of the file. */
	total: number;
}

/** What can be set for an action on a board. */
export interface ActionOptions {
	/** Stops waiting. An action that the board has started continues. */
	signal?: AbortSignal | undefined;
	/** Milliseconds to wait until the action is done. Default: as long as the lease lasts. */
	timeout?: number | undefined;
}

/** What can be set when a board is flashed. */
export interface FlashOptions extends ActionOptions {
	/** Whether a file that is neither Intel HEX, UF2 nor ELF is flashed as it is. Default: false. */
	raw?: boolean | undefined;
	/** Where such bytes begin in the flash, for example `0x1000`. */
	flashOffset?: string | undefined;
	/** Called when the upload begins and when it is complete. What it throws is ignored. */
	onProgress?: ((progress: ActionProgress) => void) | undefined;
}

/** Whether the console can be read at the moment. */
export interface ConsoleConnection {
	/** False while the service cannot be reached, or rejects the request. */
	connected: boolean;
	/** Why it cannot be read. */
	error?: unknown;
}

/** Which part of the console to read. */
export interface ConsoleOptions {
	/** The offset of the first byte. Default: 0, the first byte of the lease. */
	from?: number | undefined;
	/** Ends the reading or waiting, which rejects with the signal's own reason. */
	signal?: AbortSignal | undefined;
	/** Called within 5 seconds when the connection is lost, and when it is back. What it throws is ignored. */
	onConnection?: ((connection: ConsoleConnection) => void) | undefined;
}

/** What can be set for an expectation. */
export interface ExpectOptions extends Omit<ConsoleOptions, 'from'> {
	/** Rejects when this, or one of several, is seen first. */
	fail?: string | RegExp | readonly (string | RegExp)[] | undefined;
	/** Milliseconds to wait. Default: 60,000. */
	timeout?: number | undefined;
}

/** What an expectation found. */
export interface ConsoleMatch {
	/** The text that matched. */
	matched: string;
	/** The text between the previous match and this one. */
	before: string;
	/** What the groups of the regular expression matched, by number and by name. */
	groups: Readonly<Record<string, string | undefined>>;
}

/**
 * The console of a board. Looping over it gives text from the first byte of the lease on. A loop ends
 * when the lease is released, and throws a {@link LeaseEndedError} when it ends for another reason.
 */
export interface LeaseConsole extends AsyncIterable<string> {
	/** Where the output of the last action begins, for `from`; 0 before the first. */
	readonly actionOffset: number;
	/** Reads the console as text, from an offset on. Characters are never split. */
	text(options?: ConsoleOptions): AsyncGenerator<string, void, undefined>;
	/** Reads the console as bytes, from an offset on. */
	read(options?: ConsoleOptions): AsyncGenerator<Uint8Array, void, undefined>;
	/**
	 * Sends input to the board; resolves when the service has stored it. The board never receives it
	 * twice, also when a response is lost.
	 *
	 * @throws {@link WriteError} if only a part may have been sent.
	 *
	 * @example
	 * ```ts
	 * await lease.console.write('hello\r');
	 * ```
	 */
	write(data: string | Uint8Array, options?: { signal?: AbortSignal | undefined }): Promise<void>;
	/**
	 * Waits until the console shows the text or matches the expression. Begins where the last
	 * expectation matched, but never before the output of the last action. Expectations that wait at
	 * the same time are met in the order of their calls.
	 *
	 * @throws {@link ExpectationError} if it was not shown in time, or `fail` was shown first.
	 * @throws {@link ConsoleUnavailableError} if output is missing, so that nobody knows what was shown.
	 *
	 * @example
	 * ```ts
	 * const { matched } = await lease.console.expect(/Hello (\w+)/, { fail: 'PANIC', timeout: 30_000 });
	 * ```
	 */
	expect(pattern: string | RegExp, options?: ExpectOptions): Promise<ConsoleMatch>;
	/**
	 * Like {@link LeaseConsole.expect}, but matches whole lines that are not empty, so that a number at
	 * the end of a pattern is never half a number. `^` and `$` stand for the ends of the line.
	 *
	 * @throws {@link ExpectationError} and {@link ConsoleUnavailableError} as `expect` does.
	 *
	 * @example
	 * ```ts
	 * await lease.console.write('twice\r');
	 * const { groups } = await lease.console.expectLine(/^TWI(\w+)$/);
	 * ```
	 */
	expectLine(pattern: string | RegExp, options?: ExpectOptions): Promise<ConsoleMatch>;
}

/**
 * A lease: the fields of its {@link LeaseRecord}, and what can be done with it. What waits rejects
 * with a {@link LeaseEndedError} as soon as the lease ends.
 */
export interface Lease extends LeaseRecord, AsyncDisposable {
	/** The serial console of the board: its output and its input. */
	readonly console: LeaseConsole;
	/**
	 * Aborted with a {@link LeaseEndedError} as soon as the lease ends. From the first use of this or of
	 * `ended` on, a connection waits for the end and keeps the process running until then.
	 *
	 * @example
	 * ```ts
	 * lease.signal.addEventListener('abort', () => console.log(lease.signal.reason));
	 * ```
	 */
	readonly signal: AbortSignal;
	/** Resolves with the last record when the lease has ended; never rejects. */
	readonly ended: Promise<LeaseRecord>;
	/**
	 * Uploads firmware and flashes it; resolves when it is on the board.
	 *
	 * @throws {@link ActionFailedError} if the board or its agent could not do it.
	 * @throws {@link InputError} if the file has no known format and `raw` is not set.
	 *
	 * @example
	 * ```ts
	 * const { message } = await lease.flash(await readFile('firmware.hex'));
	 * ```
	 */
	flash(firmware: Firmware, options?: FlashOptions): Promise<LeaseAction>;
	/** Erases the flash of the board. */
	erase(options?: ActionOptions): Promise<LeaseAction>;
	/**
	 * Resets the board.
	 *
	 * @throws {@link ActionFailedError} if the board or its agent could not do it.
	 *
	 * @example
	 * ```ts
	 * await lease.reset({ timeout: 30_000 });
	 * ```
	 */
	reset(options?: ActionOptions): Promise<LeaseAction>;
	/** Switches the power of the board. */
	power(state: 'on' | 'off' | 'cycle', options?: ActionOptions): Promise<LeaseAction>;
	/** Lists the actions of the lease, oldest first, including those that prepared the board. */
	actions(options?: RequestOptions): Promise<LeaseAction[]>;
	/** Reads the lease again and updates the fields of this object. */
	refresh(options?: RequestOptions): Promise<LeaseRecord>;
	/**
	 * Renews the lease, counted from now, for the minutes that it has or for others, which a lease that
	 * renews itself keeps.
	 *
	 * @example
	 * ```ts
	 * await lease.renew({ minutes: 5 });
	 * ```
	 */
	renew(renewal?: { minutes?: number | undefined }, options?: RequestOptions): Promise<LeaseRecord>;
	/**
	 * Releases the board and stops the renewal, so that a lease that cannot be released ends by itself.
	 * Does nothing if the lease has ended.
	 *
	 * @example
	 * ```ts
	 * const { endReason, credits } = await lease.release();
	 * ```
	 */
	release(options?: RequestOptions): Promise<LeaseRecord>;
	/** Releases the lease at the end of the block; a failure is ignored, because a lease ends by itself. */
	[Symbol.asyncDispose](): Promise<void>;
}

/** Leases boards. */
export interface Leases {
	/**
	 * Leases a board; resolves when the board is prepared and can be used. If that fails or is aborted,
	 * the lease is released first.
	 * @param options - Settings for this request; its `timeout` covers the whole wait.
	 * @throws {@link ApiError} with the code `no_board_available` if no board is available and the lease does
	 * not wait for one.
	 * @throws {@link LeaseEndedError} if the wait is over or the preparation fails.
	 *
	 * @example
	 * ```ts
	 * await using lease = await client.leases.create({ boardType: 'arduino-uno', waitSeconds: 600 });
	 * await lease.flash(await readFile('firmware.hex'));
	 * await lease.console.expect('Hello');
	 * ```
	 */
	create(lease: LeaseInput, options?: LeaseCreateOptions): Promise<Lease>;

	/**
	 * Returns a lease. It does not renew itself.
	 *
	 * @example
	 * ```ts
	 * const { status, expiresAt } = await client.leases.get(lease.id);
	 * ```
	 */
	get(id: string, options?: RequestOptions): Promise<Lease>;

	/**
	 * Returns a lease that another process created, and renews it from now on: for a process that
	 * restarts.
	 *
	 * @param options - Settings for this request and for the renewal.
	 *
	 * @example
	 * ```ts
	 * await using attached = await client.leases.attach(lease.id);
	 * ```
	 */
	attach(id: string, options?: LeaseAttachOptions): Promise<Lease>;

	/**
	 * Lists the leases of the account, newest first.
	 *
	 * @example
	 * ```ts
	 * const active = await client.leases.list({ status: 'active' });
	 * ```
	 */
	list(query?: LeaseQuery, options?: RequestOptions): Listing<LeaseRecord>;
}
