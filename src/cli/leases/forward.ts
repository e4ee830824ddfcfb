// `board-access forward`: ports of a board for the tools of a user, alone or around a command.
import { setTimeout as wait } from 'node:timers/promises';
import type { AnyLease, LeaseProgress } from 'board-access';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { announcer } from '../../ci/firmware-test.ts';
import { type ForwardedPort, type Forwarding, forward } from '../../forward/index.ts';
import { CliError } from '../failures/cli-error.ts';
import { ToolExit } from '../failures/tool-exit.ts';
import { addCommand, repeatedly, type ServiceOptions, waitOption } from '../options.ts';
import { type Call, withClient } from '../service/connect.ts';
import type { Invocation } from '../terminal/io.ts';
import { note, printJson } from '../terminal/output.ts';
import {
	type BoardOptions,
	boardOf,
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
	wait: number;
	label?: string;
}

export function addForward(program: Command, invocation: Invocation) {
	const does = 'give debuggers, serial monitors and flash tools on this machine a board';
	const serial = 'serial port by RFC 2217, the default: rfc2217://127.0.0.1:PORT';
	const named = 'NAME is that of a port, PORT the local one';
	const ports = (kind: ForwardedPort['kind']) => repeatedly((text: string) => portOf(kind, text));
	const command = addCommand(program, 'forward', does, [
		'board-access forward --type arduino-uno',
		'board-access forward lse_0123456789abcdef01234567 --gdb=3333 --serial',
		'board-access forward --type arduino-uno --flash app.hex -- pytest tests/',
	]);
	withFirmware(withBoard(command))
		.usage('[options] [lease] [-- command...]')
		.argument('[lease...]', 'lease whose board is used, and not released; then -- and a command')
		.option('--flash <file>', 'flash this firmware before')
		.addOption(
			new Option('--serial [[name:]port]', `${serial}; ${named}`)
				.argParser(ports('serial'))
				.preset(''),
		)
		.addOption(
			new Option('--tcp [[name:]port]', 'plain bytes of a serial port, for avrdude -P net:')
				.argParser(ports('tcp'))
				.preset(''),
		)
		.addOption(
			new Option('--gdb [port]', 'debugger: target remote 127.0.0.1:PORT')
				.argParser((text) => portOf('gdb', text))
				.preset(''),
		)
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
	const { client, options, io } = call;
	const at = argv.indexOf('--');
	const command = at < 0 ? [] : argv.slice(at + 1);
	const [leaseId, ...more] = words.slice(0, words.length - command.length);
	if (more.length > 0) throw new CliError('Write -- before the command');
	if (leaseId !== undefined && (options.type ?? options.board) !== undefined) {
		throw new CliError('Pass either a lease, or --type or --board');
	}
	const firmware = options.flash ? await readFirmware(options.flash, options) : undefined;
	const lease = await leaseFor(call, leaseId).catch(async (error: unknown) => {
		throw await withKnownTypes(error, { client, type: options.type, io });
	});
	try {
		if (firmware) await flash(lease, firmware, call);
		await serve(lease, command, call);
	} finally {
		if (leaseId === undefined) await lease.release().catch(() => {}); // it expires by itself
	}
}

/** Neither is interrupted half way: its lease is released before. */
async function leaseFor(
	call: Call<ForwardOptions>,
	leaseId: string | undefined,
): Promise<AnyLease> {
	const { client, options, signal, status } = call;
	if (leaseId !== undefined) return client.leases.get(leaseId, { signal });
	const show = announcer((event) => void (options.json || status.transient(describe(event))));
	const input = { ...boardOf(options, ', or pass a lease'), waitMs: options.wait };
	return client.leases.create(
		{ ...input, label: options.label, requiresAgent: true },
		{
			signal,
			onProgress: (progress: LeaseProgress) => show(progress),
			onLeaseLimit: ({ message }) => status.lasting(waitingFor(message)),
		},
	);
}

async function flash(
	lease: AnyLease,
	firmware: Uint8Array,
	{ options, signal, status }: Call<ForwardOptions>,
) {
	const { raw, flashOffset } = options;
	const name = options.flash?.split(/[\\/]/).at(-1);
	status.transient('Flashing');
	await lease.flash(firmware, { raw, flashOffset, name, signal });
}

async function serve(lease: AnyLease, command: readonly string[], call: Call<ForwardOptions>) {
	const { options, io, signal, status } = call;
	const { serial = [], tcp = [], pty = [], gdb } = options;
	const chosen = [...serial, ...tcp, ...pty, ...(gdb ? [gdb] : [])];
	const failed = Promise.withResolvers<Error>();
	await using forwarding = await forward(lease, chosen.length > 0 ? chosen : usual, {
		onFailure: failed.resolve,
	});
	status.clear();
	const over = new AbortController();
	untilEnded(lease, over.signal).then(failed.resolve, () => {}); // it is over
	const running =
		command.length > 0 ? io.runTool?.(command, forwarding.env, over.signal) : undefined;
	if (!running) announce(forwarding, call);
	let outcome: number | Error | undefined;
	try {
		outcome = await Promise.race([running ?? interrupted(signal), failed.promise]);
		// The tool sees that its ports are closed, and has some time to end.
		await forwarding.stop();
	} finally {
		over.abort();
	}
	await running;
	if (typeof outcome === 'number') throw new ToolExit(outcome);
	if (outcome !== undefined) throw outcome;
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

function interrupted(signal: AbortSignal | undefined) {
	return new Promise<undefined>((resolve) => {
		if (signal?.aborted) resolve(undefined);
		signal?.addEventListener('abort', () => resolve(undefined));
	});
}

function announce({ env }: Forwarding, { io, options }: Call<ForwardOptions>) {
	if (options.json) return printJson(env, io);
	io.stdout.write(
		Object.entries(env)
			.map(([name, value]) => `${name}=${value}\n`)
			.join(''),
	);
	note('The ports are open until you press Ctrl-C.', io);
}
