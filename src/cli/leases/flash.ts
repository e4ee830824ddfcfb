// `board-access flash`: firmware onto the board of a lease.
import type { Command } from 'commander';
import { namingFile } from '../../ci/firmware-file.ts';
import { addCommand, type ServiceOptions } from '../options.ts';
import { connect } from '../service/connect.ts';
import type { Io } from '../terminal/io.ts';
import { printJson } from '../terminal/output.ts';
import { type FirmwareOptions, readFirmware, withFirmware } from './firmware-file.ts';
import { bytes, time } from './progress.ts';
import { createStatus, reachabilityOf } from './status.ts';

interface FlashOptions extends ServiceOptions, FirmwareOptions {}

export function addFlash(program: Command, io: Io) {
	const command = addCommand(program, 'flash', 'flash firmware onto the board of a lease', [
		'board-access flash lse_0123456789abcdef01234567 firmware.hex',
	]);
	withFirmware(command)
		.argument('<id>', 'ID of the lease')
		.argument('<file>', 'the firmware: Intel HEX, UF2 or ELF')
		.action((id: string, file: string, options: FlashOptions) => flash({ id, file }, options, io));
}

async function flash({ id, file }: { id: string; file: string }, options: FlashOptions, io: Io) {
	const { raw, flashOffset, json } = options;
	const firmware = await readFirmware(file, options);
	const status = createStatus(options, io);
	const client = await connect(options, io, reachabilityOf(status, options));
	const lease = await client.leases.get(id, { signal: io.signal });
	const startedAt = performance.now();
	try {
		const action = await lease.flash(firmware, {
			raw,
			flashOffset,
			signal: io.signal,
			onProgress: ({ step, total }) => {
				const what = step === 'uploading' ? 'Uploading' : 'Flashing';
				if (!json) status.transient(`${what} ${bytes(total)}`);
			},
		});
		if (json) return printJson(action, io);
		const took = time(Math.round(performance.now() - startedAt));
		status.lasting(`Flashed ${bytes(firmware.length)} onto ${lease.boardId}, ready after ${took}`);
	} catch (error) {
		throw namingFile(error, file);
	} finally {
		status.clear();
	}
}
