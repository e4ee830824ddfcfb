// Leases: a board for one account, and everything that is done with it.
import type {
	boardActions,
	consoleStatuses,
	leaseAccess,
	leaseActionPhases,
	leaseActionStatuses,
	leaseEndReasons,
	leaseStatuses,
	shareAccess,
} from '../contract/lease.ts';
import type { BoardAccessError } from '../errors/base.ts';
import type { ApiError } from '../errors/errors.ts';
import type { Listing, PageQuery } from '../http/list.ts';
import type { WatchOptions } from '../http/watch.ts';
import type { CreateOptions, HeadersInput, RequestOptions } from '../settings/settings.ts';
import type { BoardChannel, ChannelOptions, SerialChannel } from './channel-types.ts';
import type { LeaseConsole } from './console/types.ts';
import type { ScenarioOptions, ScenarioStep, StepOutcome } from './scenario-types.ts';

/** The statuses of a lease, in their order. @useDeclaredType */
export type LeaseStatus = (typeof leaseStatuses)[number];

/** Why a lease has ended. @useDeclaredType */
export type LeaseEndReason = (typeof leaseEndReasons)[number];

/** What can be done with a board. @useDeclaredType */
export type BoardAction = (typeof boardActions)[number];

/** A lease in a list. */
export interface LeaseRecord {
	/** Identifies the lease: `lse_…`. */
	readonly id: string;
	/** The group with which it is granted, renewed and ended: `grp_…`; null for a single lease. */
	readonly groupId: string | null;
	/** Its role in the group. */
	readonly role: string | null;
	/** How far the lease has come; a service may have other statuses than these. */
	readonly status: LeaseStatus | (string & {});
	/** What the account may do with it: everything as its holder, type into a lease that is shared with it, or look. */
	readonly access: (typeof leaseAccess)[number] | (string & {});
	/** The email address of the holder; null if that is the account itself. */
	readonly holderEmail: string | null;
	/** The board; null while the lease is queued. */
	readonly boardId: string | null;
	/** The board type. */
	readonly boardType: string;
	/** What the lease is for. */
	readonly label: string | null;
	/** The queue position, 1 is next; null unless the lease is queued. */
	readonly queuePosition: number | null;
	/** How many minutes it lasts unless it is renewed. */
	readonly minutes: number;
	/** When it was created. */
	readonly createdAt: string;
	/** When the board was ready to be used. */
	readonly startedAt: string | null;
	/** When it ends unless it is renewed; null until it is active, unless it renews itself. */
	readonly expiresAt: string | null;
	/** The milliseconds until then, counted from the response on. */
	readonly expiresInMs: number | null;
	/** When the preparation has failed if it is not done; null unless it is being prepared. */
	readonly preparationExpiresAt: string | null;
	/** When it ended. */
	readonly endedAt: string | null;
	/** Why it ended; `lease_not_found` if the service no longer knows it. */
	readonly endReason: LeaseEndReason | (string & {}) | null;
	/** Why it ended, as a sentence. */
	readonly endMessage: string | null;
	/** The credits it cost; null until it has ended. */
	readonly credits: number | null;
	/** Whether the agent reaches the console of the board; null if that is not known. */
	readonly consoleStatus: (typeof consoleStatuses)[number] | (string & {}) | null;
	/** Why the console is disconnected, as a sentence. */
	readonly consoleMessage: string | null;
	/** Since when it is disconnected. */
	readonly consoleLostAt: string | null;
	/** Before this offset of the console, output is missing, because the console was disconnected. */
	readonly consoleGapOffset: number | null;
	/** For how many milliseconds it was disconnected in all since the last action before. */
	readonly consoleGapMs: number | null;
	/** Whose debugger halts the processor of the board, by email address; null while it runs. A halted board prints nothing. */
	readonly haltedBy: string | null;
}

/** One action on the board of a lease. */
export interface LeaseAction {
	/** Identifies the action: `act_…`. */
	readonly id: string;
	/** What it does. */
	readonly action: BoardAction | (string & {});
	/** Whether it prepares the board or was requested by the user of the lease. */
	readonly phase: (typeof leaseActionPhases)[number] | (string & {});
	/** The base image that it comes from. */
	readonly name: string | null;
	/** How far it has come. */
	readonly status: (typeof leaseActionStatuses)[number] | (string & {});
	/** How much of the firmware is written, in percent; null if the flash tool does not say so. */
	readonly progress: number | null;
	/** What the agent reports. */
	readonly message: string;
	/** The offset of the console at which the output of this action begins; final once it is done. */
	readonly consoleOffset: number | null;
	/** When it was requested. */
	readonly createdAt: string;
	/** When it was done or had failed. */
	readonly endedAt: string | null;
	/** The email address of the colleague who requested it, for the holder and for administrators; otherwise null. */
	readonly requestedBy: string | null;
}

/** `look`: read the lease, its actions and its console. `type`: also write to the console, reset the board and drive its pins. @useDeclaredType */
export type ShareAccess = (typeof shareAccess)[number];

/** What a colleague may do with a lease. */
export interface LeaseShare {
	/** The email address of their account, in lower case. */
	readonly email: string;
	/** What they may do. */
	readonly access: ShareAccess | (string & {});
	/** Since when. */
	readonly createdAt: string;
}

/** A lease after a renewal. */
export interface RenewedLease extends LeaseRecord {
	/** The end that no renewal exceeds; null until the lease is active. */
	readonly latestExpiresAt: string | null;
}

/** How long a lease lasts. */
export interface LeaseDuration {
	/** How many milliseconds it lasts unless it is renewed, rounded up to whole minutes. */
	durationMs?: number | null | undefined;
}

/** What is requested of a lease besides its board. */
export interface LeaseTerms extends LeaseDuration {
	/** The milliseconds it lasts unless it is renewed, in whole minutes. Default: 2 minutes if it renews itself, else 10. */
	durationMs?: number | null | undefined;
	/** The milliseconds to wait for a board, and for a place among the leases of the account, in whole seconds. Default: 0. */
	waitMs?: number | null | undefined;
	/** What the lease is for. */
	label?: string | null | undefined;
}

/** What is requested of a board. */
export interface BoardTerms {
	/** The tags that the board must have, for example `{ radio: 'lora' }`; null for any value. Default: none. */
	tags?: Readonly<Record<string, string | null>> | null | undefined;
	/** Whether the board must have an agent, without which it cannot be flashed. Default: false. */
	requiresAgent?: boolean | null | undefined;
}

/** Any board of a type. */
export interface BoardOfType extends BoardTerms {
	/** The board type, for example `arduino-uno`. */
	boardType: string;
	/** Only without `boardType`. */
	boardId?: null | undefined;
}

/** One specific board. */
export interface BoardById extends BoardTerms {
	/** The board: `brd_…`. */
	boardId: string;
	/** Only without `boardId`. */
	boardType?: null | undefined;
}

/** A requested board: either `boardType` or `boardId`. */
export type WantedBoard = BoardOfType | BoardById;

/** A lease of any board of a type. */
export interface LeaseOfType extends LeaseTerms, BoardOfType {}

/** A lease of one specific board. */
export interface LeaseOfBoard extends LeaseTerms, BoardById {}

/** What is requested of a group of leases besides its boards. */
export interface LeaseGroupTerms extends LeaseTerms {
	/** A tag for which all boards must have the same value, such as `bench`. */
	sameTag?: string | null | undefined;
}

/** Leases by their roles, which were granted together and end together. `Object.values` lists them. */
export type LeaseGroup<Role extends string = string> = Readonly<Record<Role, Lease>> &
	AsyncDisposable & {
		/** Ends all leases of the group. */
		release(options?: RequestOptions): Promise<void>;
	};

/** The requested board: either `boardType` or `boardId`. */
export type LeaseInput = LeaseOfType | LeaseOfBoard;

/** How far a lease that is not active yet has come. */
export interface LeaseProgress {
	/** The lease. */
	readonly lease: LeaseRecord;
	/** The actions that prepare the board; empty while the lease is queued. */
	readonly steps: readonly LeaseAction[];
}

/** What can be set when a lease is created. */
export interface LeaseCreateOptions extends CreateOptions {
	/** Whether it renews itself until it is released; while it waits for its board, it always does. Default: true. */
	renew?: boolean | undefined;
	/** Called when a renewal fails, once for failures in a row with the same code. Renewals go on. */
	onRenewFailed?: ((error: BoardAccessError) => void) | undefined;
	/** Called once if the lease waits until another lease of the account ends. What it throws is ignored. */
	onLeaseLimit?: ((error: ApiError) => void) | undefined;
	/** Called when the queue position, the status or a step changes. What it throws is ignored. */
	onProgress?: ((progress: LeaseProgress) => void) | undefined;
}

/** What can be set when a process takes over a lease. */
export interface LeaseAttachOptions
	extends RequestOptions,
		Pick<LeaseCreateOptions, 'renew' | 'onRenewFailed'> {}

/** Which leases to list. */
export interface LeaseQuery extends PageQuery {
	/** Only leases with this status, or with one of several. */
	status?: LeaseStatus | readonly LeaseStatus[] | undefined;
	/** Whether to list the leases of others that are shared with the account, instead of its own. */
	shared?: boolean | undefined;
}

/** A change in a list of leases: one is new in it, differs from before, or is no longer in it. */
export type LeaseChange =
	| { readonly type: 'added' | 'removed'; readonly lease: LeaseRecord }
	| { readonly type: 'changed'; readonly lease: LeaseRecord; readonly before: LeaseRecord };

/** The content of a firmware file: Intel HEX, UF2, ELF or raw bytes. */
export type Firmware = Uint8Array | ArrayBuffer | Blob;

/** How far an action has come. */
export interface ActionProgress {
	/** The file is uploaded, then waits for the agent of the board, which flashes it. */
	readonly step: 'uploading' | 'queued' | 'flashing';
	/** How many bytes of the file the service has. */
	readonly bytes: number;
	/** The size of the file. */
	readonly total: number;
	/** How much of the firmware is written, in percent; null until the flash tool says so, and if it never does. */
	readonly percent: number | null;
}

/** What can be set for an action on a board. */
export interface ActionOptions {
	/** Stops waiting. An action that the board has started continues. */
	signal?: AbortSignal | undefined;
	/** Milliseconds to wait until the action is done. Default: as long as the lease lasts. */
	timeout?: number | undefined;
	/** More headers for the requests of this action. */
	headers?: HeadersInput | undefined;
}

/** What can be set when a board is flashed. */
export interface FlashOptions extends ActionOptions {
	/** Whether a file that is neither Intel HEX, UF2 nor ELF is flashed as it is. Default: false. */
	raw?: boolean | undefined;
	/** Where such bytes begin in the flash, for example `0x1000`. */
	flashOffset?: string | undefined;
	/** The name of the firmware, which the steps of the lease show. */
	name?: string | undefined;
	/** Called when the step changes, and about every two seconds when `percent` has. What it throws is ignored. */
	onProgress?: ((progress: ActionProgress) => void) | undefined;
}

/**
 * A lease with any status: the fields of its {@link LeaseRecord}, and what can be done with it. What waits
 * rejects with a {@link LeaseEndedError} as soon as the lease ends.
 */
export interface AnyLease extends LeaseRecord, AsyncDisposable {
	/** How far the lease has come; past its end, `unknown` until the service says more. */
	readonly status: LeaseStatus | 'unknown' | (string & {});
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
	/**
	 * Drives a pin of an emulated board from outside with a voltage, as a button or a potentiometer does; null lets it
	 * go. Returns the voltages of all pins that are driven, until the lease ends.
	 *
	 * @example
	 * ```ts
	 * await lease.drivePin('D2', 0);
	 * ```
	 */
	drivePin(
		pin: string,
		volts: number | null,
		options?: RequestOptions,
	): Promise<Record<string, number>>;
	/**
	 * Carries out steps one after the other; resolves when all have succeeded. What a `fail` names must
	 * appear neither during a step nor between two of them. Expectations take turns with it, in the order
	 * of the calls; nobody else may write to the console meanwhile.
	 *
	 * Rejects with an {@link InputError} before anything is done if a step is wrong or if there is none.
	 *
	 * At its start, no action may be newer than the last one of this object or, if that has made none, all
	 * must be done; from then on, only its steps may act on the board.
	 *
	 * @throws {@link ExpectationError} and {@link ConsoleUnavailableError} as `console.expect` does.
	 * @throws {@link WriteError} if input may have been sent only in part.
	 * @throws {@link ScenarioError} if another action disturbed it. This and every error of a step have its `stepIndex`.
	 *
	 * @example
	 * ```ts
	 * await lease.run([{ fail: 'PANIC' }, { reset: true }, { expect: 'Hello' }, { send: 'hi\r' }, { expect: 'HI' }]);
	 * ```
	 */
	run(steps: readonly ScenarioStep[], options?: ScenarioOptions): Promise<StepOutcome[]>;
	/**
	 * Opens a channel to a port of the board, for a tool that speaks to it directly: `serial` to a serial port,
	 * `debug` to a debugger with the remote protocol of GDB. What passes over the serial port of the console is in
	 * the console, too.
	 *
	 * @throws {@link InputError} or {@link ApiError} if the board has no such port.
	 * @throws {@link ChannelError} if the port cannot be opened.
	 *
	 * @example
	 * ```ts
	 * const serial = await lease.channel('serial');
	 * await serial.set({ baud: 115_200 });
	 * await serial.writable.getWriter().write(new TextEncoder().encode('hello\r'));
	 * await serial.close();
	 * ```
	 */
	channel(kind: 'serial', options?: ChannelOptions): Promise<SerialChannel>;
	/** Opens a channel to the debugger of the board. */
	channel(kind: 'debug', options?: Omit<ChannelOptions, 'port'>): Promise<BoardChannel>;
	/**
	 * Shares the lease with whoever has verified the email address in their account, or changes what they may do.
	 * They use it by `client.leases.get(id)`; it is renewed, paid and released by its holder. Nothing
	 * shows whether there is such an account. Needs a key with the scope `full`.
	 *
	 * @example
	 * ```ts
	 * await lease.share('ada@example.com', { access: 'type' });
	 * ```
	 */
	share(
		email: string,
		share: { access: ShareAccess },
		options?: RequestOptions,
	): Promise<LeaseShare>;
	/** Stops sharing it with an address: its requests reject with a {@link LeaseNotSharedError}, and its consoles end. */
	unshare(email: string, options?: RequestOptions): Promise<void>;
	/**
	 * Leaves a lease that somebody else shares with the account. Needs a key with the scope `full`.
	 *
	 * @throws {@link ApiError} with the code `access_insufficient` if the account holds the lease.
	 */
	leave(options?: RequestOptions): Promise<void>;
	/** Lists with whom the lease is shared. */
	shares(options?: RequestOptions): Promise<LeaseShare[]>;
	/** Lists the actions of the lease, oldest first, including those that prepared the board. */
	actions(options?: RequestOptions): Promise<LeaseAction[]>;
	/** Reads the lease again and updates the fields of this object. */
	refresh(options?: RequestOptions): Promise<LeaseRecord>;
	/**
	 * Renews the lease, counted from now, for the duration that it has or for another, which a lease that
	 * renews itself keeps.
	 *
	 * @example
	 * ```ts
	 * await lease.renew({ durationMs: 300_000 });
	 * ```
	 */
	renew(renewal?: LeaseDuration, options?: RequestOptions): Promise<RenewedLease>;
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

/** A lease that was active when it was returned: it has a board, also after its end. */
export interface Lease extends AnyLease {
	/** The board. */
	readonly boardId: string;
	/** When the board was ready to be used. */
	readonly startedAt: string;
	/** When it ends unless it is renewed. */
	readonly expiresAt: string;
}

/** Leases boards. */
export interface Leases {
	/**
	 * Leases a board; resolves when the board is prepared and can be used. If that fails or is aborted,
	 * the lease is released first.
	 * @param options - Settings for this request; its `timeout` covers the whole wait.
	 * @throws {@link NoBoardError} if no board is available, at once or when the wait is over.
	 * @throws {@link LeaseEndedError} if the preparation fails.
	 *
	 * @example
	 * ```ts
	 * await using lease = await client.leases.create({ boardType: 'arduino-uno', waitMs: 600_000 });
	 * await lease.flash(await readFile('firmware.hex'));
	 * await lease.console.expect('Hello');
	 * ```
	 */
	create(lease: LeaseInput, options?: LeaseCreateOptions): Promise<Lease>;

	/**
	 * Leases several boards together, by their roles: all of them or none. They become active at the same time, are
	 * renewed together and end together. If one is lost or cannot be prepared, all are given back.
	 * @throws {@link NoBoardError} if not all boards are available, at once or when the wait is over.
	 *
	 * @example
	 * ```ts
	 * const boards = {
	 *   dut: { boardType: 'arduino-uno', tags: { driver: 'emulated' } },
	 *   peer: { boardType: 'rp2040-pico' },
	 * };
	 * await using bench = await client.leases.createGroup(boards, { waitMs: 600_000 });
	 * await bench.dut.flash(await readFile('firmware.hex'));
	 * await bench.dut.console.expect('Hello');
	 * ```
	 */
	createGroup<Role extends string>(
		boards: Readonly<Record<Role, WantedBoard>>,
		terms?: LeaseGroupTerms,
		options?: LeaseCreateOptions,
	): Promise<LeaseGroup<Role>>;

	/**
	 * Returns a lease with any status. It does not renew itself.
	 *
	 * @example
	 * ```ts
	 * const { status, expiresAt } = await client.leases.get(lease.id);
	 * ```
	 */
	get(id: string, options?: RequestOptions): Promise<AnyLease>;

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
	attach(id: string, options?: LeaseAttachOptions): Promise<AnyLease>;

	/**
	 * Lists the leases of the account, newest first.
	 *
	 * @example
	 * ```ts
	 * const active = await client.leases.list({ status: 'active' });
	 * ```
	 */
	list(query?: LeaseQuery, options?: RequestOptions): Listing<LeaseRecord>;

	/**
	 * Watches the newest leases of the account, at most 200: yields those that there are as `added`, then
	 * each change within about a second, also through outages of up to a minute or `maxOutageMs`. A renewal is a change, too.
	 * Abort the `signal` to end it at once.
	 *
	 * @param options - Settings for the requests; `timeout` ends the whole watch, which has no limit by
	 * default.
	 *
	 * @example
	 * ```ts
	 * for await (const { type, lease } of client.leases.watch()) {
	 *   console.log(type, lease.id, lease.status);
	 *   if (lease.status === 'ended') break;
	 * }
	 * ```
	 */
	watch(query?: LeaseQuery, options?: WatchOptions): AsyncIterable<LeaseChange>;
}

/** A lease as admins see it. */
export interface AdminLeaseRecord extends LeaseRecord {
	/** The account that the lease belongs to. */
	readonly accountId?: string | null;
}

/** The leases of all accounts, for admins. */
export interface AdminLeases {
	/**
	 * Lists the leases of all accounts, newest first.
	 *
	 * @example
	 * ```ts
	 * const waiting = await client.admin.leases.list({ status: 'queued' });
	 * ```
	 */
	list(query?: Omit<LeaseQuery, 'shared'>, options?: RequestOptions): Listing<AdminLeaseRecord>;

	/**
	 * Ends a lease of any account, and returns it. One that has ended already does not change.
	 *
	 * @example
	 * ```ts
	 * await client.admin.leases.end(lease.id);
	 * ```
	 */
	end(id: string, options?: RequestOptions): Promise<AdminLeaseRecord>;
}
