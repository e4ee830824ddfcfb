// `board-access forward`: ports of a board for the tools of a user, alone or around a command.
import { basename } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { AnyLease, LeaseProgress } from 'board-access';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { announcer } from '../../ci/firmware-test.ts';
import { type ChosenBoard, leaseBoards } from '../../ci/wanted-boards.ts';
import { type ForwardedPort, type Forwarding, forward } from '../../forward/index.ts';
import { CliError, ToolExit } from '../failures/cli-error.ts';
import { addCommand, repeatedly, type ServiceOptions, waitOption } from '../options.ts';
import { type Call, withClient } from '../service/connect.ts';
import type { Invocation } from '../terminal/io.ts';
import { note, printJson } from '../terminal/output.ts';
import {
	type BoardOptions,
	boardsOf,
	type FirmwareOptions,
	readFirmware,
	withBoard,
	withFirmware,
	withKnownTypes,
} from './options.ts';
import { describe, waitingFor } from './progress.ts';

interface ForwardOptions extends ServiceOptions, BoardOptions, FirmwareOptions {
	flash?: string;
	serial?: ForwardedPort[];
	tcp?: ForwardedPort[];
	gdb?: ForwardedPort;
	pty?: ForwardedPort[];
}

export function addForward(program: Command, invocation: Invocation) {
	const does = 'give debuggers, serial monitors and flash tools on this machine a board';
	const serial = 'serial port by RFC 2217, the default: rfc2217://127.0.0.1:PORT';
	const named = 'NAME is that of a port, PORT the local one';
	const plain = 'plain bytes of a serial port, for avrdude -P net:';
	const gdb = 'debugger: target remote 127.0.0.1:PORT';
	const local = (flags: string, does: string) => new Option(flags, does).preset('');
	const ports = (kind: ForwardedPort['kind']) => repeatedly((text: string) => portOf(kind, text));
	const command = addCommand(program, 'forward', does, [
		'board-access forward --type arduino-uno',
		'board-access forward lse_0123456789abcdef01234567 --gdb=3333 --serial',
		'board-access forward --type arduino-uno --flash app.hex -- pytest tests/',
		'board-access forward --board dut=rp2040-pico,app.uf2 --board peer=arduino-uno -- pytest tests/',
	]);
	withFirmware(withBoard(command))
		.usage('[options] [lease] [-- command...]')
		.argument('[lease...]', 'lease whose board is used, and not released; then -- and a command')
		.option('--flash <file>', 'flash this firmware before')
		.addOption(local('--serial [[name:]port]', `${serial}; ${named}`).argParser(ports('serial')))
		.addOption(local('--tcp [[name:]port]', plain).argParser(ports('tcp')))
		.addOption(local('--gdb [port]', gdb).argParser((text) => portOf('gdb', text)))
		.option(
			'--pty <[name:]path>',
			'terminal at this path, by socat; without settings and control lines',
			repeatedly((text): ForwardedPort => {
				const [, name, path = ''] = /^(?:([a-z][a-z0-9-]*):)?(.*)$/s.exec(text) ?? [];
				return { kind: 'pty', name, path };
			}),
		)
		.addOption(waitOption())
		.option('--label <label>', 'what the lease is for')
		.action(
			withClient(invocation, (call: Call<ForwardOptions>, words: string[]) =>
				forwardBoard(call, words, invocation),
			),
		);
}

/** `4000`, `modem`, `modem:4000`, or nothing. */
function portOf(kind: ForwardedPort['kind'], text: string): ForwardedPort {
	const [, name, digits] = /^(?:([a-z][a-z0-9-]{0,19})(?::|$))?(\d{1,5})?$/.exec(text) ?? [];
	const port = digits === undefined ? undefined : Number(digits);
	const isKnown = text === '' || name !== undefined || port !== undefined;
	if (!isKnown || (port ?? 0) > 65_535 || (kind === 'gdb' && name !== undefined)) {
		throw new InvalidArgumentError(
			kind === 'gdb' ? 'Expected a port.' : 'Expected a port, a name, or NAME:PORT.',
		);
	}
	return { kind, name, port };
}

async function forwardBoard(call: Call<ForwardOptions>, words: string[], { argv }: Invocation) {
	const { options } = call;
	const at = argv.indexOf('--');
	const command = at < 0 ? [] : argv.slice(at + 1);
	const [leaseId, ...more] = words.slice(0, words.length - command.length);
	if (more.length > 0) throw new CliError('Write -- before the command');
	if (leaseId !== undefined && (options.type ?? options.board) !== undefined) {
		throw new CliError('Pass either a lease, or --type or --board');
	}
	checkPorts(options);
	const boards = await leaseAndRead(call, leaseId);
	try {
		await Promise.all(boards.map((board) => flash(board, call)));
		await serve(boards, command, call);
	} finally {
		if (leaseId === undefined) await boards[0]?.lease.release().catch(() => {}); // it expires by itself
	}
}

function portsOf({ serial = [], tcp = [], pty = [], gdb }: ForwardOptions): ForwardedPort[] {
	return [...serial, ...tcp, ...pty, ...(gdb ? [gdb] : [])];
}

/** Several boards cannot have one local port. */
function checkPorts(options: ForwardOptions) {
	const { board = [] } = options;
	const isFixed = portsOf(options).some(
		({ port, path }) => port !== undefined || path !== undefined,
	);
	if (isFixed && board.length > 1) {
		throw new CliError('With several boards, ports on this machine cannot be chosen');
	}
}

/** A board and the firmware that is flashed onto it. */
interface ForwardedBoard {
	lease: AnyLease;
	role: string | null;
	file: string | undefined;
	firmware: Uint8Array | undefined;
}

/** Reads the files before a board is leased. */
async function leaseAndRead(call: Call<ForwardOptions>, leaseId: string | undefined) {
	const { options } = call;
	const wanted = leaseId ?? boardsOf(options, ', or pass a lease');
	const chosen = typeof wanted === 'string' ? [{ role: null, file: undefined }] : wanted;
	if (chosen[0]?.role !== null && options.flash !== undefined) {
		throw new CliError('Write the firmware of each board as --board ROLE=TYPE,FILE');
	}
	const files = chosen.map(({ file = options.flash }) => file);
	const read = files.map((file) => (file === undefined ? undefined : readFirmware(file, options)));
	const firmwares = await Promise.all(read);
	const leases = await leasesFor(call, wanted);
	return leases.map(
		(lease, at): ForwardedBoard => ({
			lease,
			role: chosen[at]?.role ?? null,
			file: files[at],
			firmware: firmwares[at],
		}),
	);
}

/** Neither is interrupted half way: its lease is released before. */
async function leasesFor(
	call: Call<ForwardOptions>,
	wanted: string | readonly ChosenBoard[],
): Promise<AnyLease[]> {
	const { client, options, io, signal, status } = call;
	if (typeof wanted === 'string') return [await client.leases.get(wanted, { signal })];
	const show = announcer((event) => void (options.json || status.transient(describe(event))));
	const { wait: waitMs, label, sameTag } = options;
	const terms = { waitMs, label, sameTag, requiresAgent: true };
	const leasing = leaseBoards(client, wanted, terms, {
		signal,
		onProgress: (progress: LeaseProgress) => show(progress),
		onLeaseLimit: ({ message }) => status.lasting(waitingFor(message)),
	});
	return leasing.catch(async (error: unknown) => {
		throw await withKnownTypes(error, { client, type: options.type, io });
	});
}

async function flash(board: ForwardedBoard, { options, signal, status }: Call<ForwardOptions>) {
	const { lease, file, firmware } = board;
	if (!firmware) return;
	const { raw, flashOffset } = options;
	const name = file && basename(file);
	status.transient('Flashing');
	await lease.flash(firmware, { raw, flashOffset, name, signal });
}

async function serve(
	boards: readonly ForwardedBoard[],
	command: readonly string[],
	call: Call<ForwardOptions>,
) {
	const { options, io, signal, status } = call;
	const chosen = portsOf(options);
	const failed = Promise.withResolvers<Error>();
	const open: Forwarding[] = [];
	const stop = () => Promise.all(open.map((forwarding) => forwarding.stop()));
	const over = new AbortController();
	try {
		const env: Record<string, string> = {};
		for (const { lease, role } of boards) {
			const ports = chosen.length > 0 ? chosen : usual;
			const forwarding = await forward(lease, ports, { onFailure: failed.resolve });
			open.push(forwarding);
			Object.assign(env, role === null ? forwarding.env : namedFor(role, forwarding.env));
		}
		status.clear();
		// A group ends as one.
		const [{ lease } = { lease: undefined }] = boards;
		if (lease) untilEnded(lease, over.signal).then(failed.resolve, () => {}); // it is over
		const running = command.length > 0 ? io.runTool?.(command, env, over.signal) : undefined;
		if (!running) announce(env, call);
		let outcome: number | Error | undefined;
		try {
			outcome = await Promise.race([running ?? interrupted(signal), failed.promise]);
			// The tool sees that its ports are closed, and has some time to end.
			await stop();
		} finally {
			over.abort();
		}
		await running;
		if (typeof outcome === 'number') throw new ToolExit(outcome);
		if (outcome !== undefined) throw outcome;
	} finally {
		await stop();
	}
}

/** `BOARD_DUT_SERIAL` instead of `BOARD_SERIAL`. */
function namedFor(role: string, env: Readonly<Record<string, string>>) {
	const renamed = Object.entries(env).map(([name, value]) => [
		name.replace('BOARD_', `BOARD_${role.toUpperCase()}_`),
		value,
	]);
	return Object.fromEntries(renamed);
}

/** Asks instead of waiting, because what waits for the end of a lease keeps the process running until then. */
async function untilEnded(lease: AnyLease, signal: AbortSignal): Promise<Error> {
	for (;;) {
		await wait(pollTime, undefined, { signal });
		await lease.refresh({ signal, maxRetries: 0 }).catch(() => {}); // the channels notice an outage
		if (lease.status === 'ended') return lease.signal.reason;
	}
}

const pollTime = 2_000;

const usual: readonly ForwardedPort[] = [{ kind: 'serial' }];

/** Resolves when the user presses Ctrl-C, or the process is to end. */
export function interrupted(signal: AbortSignal | undefined) {
	return new Promise<undefined>((resolve) => {
		if (signal?.aborted) resolve(undefined);
		signal?.addEventListener('abort', () => resolve(undefined));
	});
}

function announce(env: Readonly<Record<string, string>>, { io, options }: Call<ForwardOptions>) {
	if (options.json) return printJson(env, io);
	io.stdout.write(
		Object.entries(env)
			.map(([name, value]) => `${name}=${value}\n`)
			.join(''),
	);
	note('The ports are open until you press Ctrl-C.', io);
}
