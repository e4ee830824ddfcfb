// `board-access flash`: firmware onto the board of a lease.
import type { Command } from 'commander';
import { namingFile } from '../../ci/firmware-file.ts';
import { addCommand, type ServiceOptions } from '../options.ts';
import { type Call, withClient } from '../service/connect.ts';
import type { Io } from '../terminal/io.ts';
import { printJson } from '../terminal/output.ts';
import { type FirmwareOptions, readFirmware, withFirmware } from './options.ts';
import { bytes, describe, time } from './progress.ts';

export function addFlash(program: Command, io: Io) {
	const command = addCommand(program, 'flash', 'flash firmware onto the board of a lease', [
		'board-access flash lse_0123456789abcdef01234567 firmware.hex',
	]);
	withFirmware(command)
		.argument('<id>', 'ID of the lease')
		.argument('<file>', 'the firmware: Intel HEX, UF2 or ELF')
		.action(withClient(io, flash));
}

async function flash(call: Call<ServiceOptions & FirmwareOptions>, id: string, file: string) {
	const { client, options, io, signal, status } = call;
	const { raw, flashOffset, json } = options;
	const firmware = await readFirmware(file, options);
	const lease = await client.leases.get(id, { signal });
	const startedAt = performance.now();
	const onProgress = (progress: { bytes: number; total: number }) => {
		if (!json) status.transient(describe({ event: 'flashing', ...progress }));
	};
	const flashing = lease.flash(firmware, { raw, flashOffset, signal, onProgress });
	const action = await flashing.catch((error: unknown) => {
		throw namingFile(error, file);
	});
	if (json) return printJson(action, io);
	const took = time(performance.now() - startedAt);
	status.lasting(`Flashed ${bytes(firmware.length)} onto ${lease.boardId}, ready after ${took}`);
}
