// `board-access flash`, `erase`, `reset` and `power`: what can be done with the board of a lease.
import type { ActionProgress } from 'board-access';
import { Argument, type Command } from 'commander';
import { namingFile } from '../../ci/firmware-file.ts';
import { CliError } from '../failures/cli-error.ts';
import { addCommand, type ServiceOptions } from '../options.ts';
import { type Call, withClient } from '../service/connect.ts';
import type { Io } from '../terminal/io.ts';
import { printJson, printResult } from '../terminal/output.ts';
import { type FirmwareOptions, readFirmware, withFirmware } from './options.ts';
import { describe, time } from './progress.ts';

const sampleId = 'lse_0123456789abcdef01234567';

/** The message of each action; those of the power are named as their states. */
const done = {
	erase: 'Erased',
	reset: 'Reset',
	on: 'Switched on',
	off: 'Switched off',
	cycle: 'Switched off and on',
} as const;
const states = ['on', 'off', 'cycle'];

export function addActions(program: Command, io: Io) {
	const add = (name: string, does: string, example: string) =>
		addCommand(program, name, does, [`board-access ${example}`]).argument(
			'<id>',
			'ID of the lease',
		);
	const flashes = 'flash firmware onto the board of a lease';
	withFirmware(add('flash', flashes, `flash ${sampleId} firmware.hex`))
		.argument('<file>', 'the firmware: Intel HEX, UF2 or ELF')
		.action(withClient(io, flash));
	add('erase', 'erase the flash of the board of a lease', `erase ${sampleId}`).action(
		withClient(io, (call, id: string) => act(call, id, 'erase')),
	);
	add('reset', 'reset the board of a lease', `reset ${sampleId}`).action(
		withClient(io, (call, id: string) => act(call, id, 'reset')),
	);
	add('power', 'switch the power of the board of a lease', `power ${sampleId} cycle`)
		.addArgument(new Argument('<state>', 'on, off or cycle').choices(states).argParser(readState))
		.action(withClient(io, act));
}

function readState(text: string) {
	if (states.includes(text)) return text;
	const hint = `The ID of the lease comes first, then one of ${states.join(', ')}.`;
	throw new CliError(`Unknown state "${text}" of the power`, { hint });
}

async function flash(call: Call<ServiceOptions & FirmwareOptions>, id: string, file: string) {
	const { client, options, io, signal, status } = call;
	const { raw, flashOffset, json } = options;
	const firmware = await readFirmware(file, options);
	const lease = await client.leases.get(id, { signal });
	const startedAt = performance.now();
	const onProgress = (progress: ActionProgress) => {
		if (!json) status.transient(describe({ event: 'flashing', ...progress }));
	};
	const flashing = lease.flash(firmware, { raw, flashOffset, signal, onProgress });
	const action = await flashing.catch((error: unknown) => {
		throw namingFile(error, file);
	});
	if (json) return printJson(action, io);
	const took = time(performance.now() - startedAt);
	const written = action.message && `: ${action.message}`;
	status.lasting(`Flashed ${lease.boardId}, ready after ${took}${written}`);
}

async function act(call: Call, id: string, name: keyof typeof done) {
	const { client, signal } = call;
	const lease = await client.leases.get(id, { signal });
	const startedAt = performance.now();
	const isPower = name !== 'erase' && name !== 'reset';
	const action = await (isPower ? lease.power(name, { signal }) : lease[name]({ signal }));
	const took = time(performance.now() - startedAt);
	printResult(action, `${done[name]} ${lease.boardId} in ${took}`, call);
}
