// Removes what a lease has left on a real board, as its `between_leases` says.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { notErased } from 'board-access-contract';
import { hexadecimal } from 'board-access-contract/firmware';
import { AgentError, BoardError, messageOf } from '../errors.ts';
import { wait } from '../time.ts';
import { type CommandSettings, eraseFlash, inFolder, pause, run } from './carry-out.ts';

/** How long a board with its own USB may take to start, in milliseconds. */
const maxStart = 5_000;

const retryPause = 500;

const erased = 0xff;

export async function clearBoard(settings: CommandSettings): Promise<void> {
	const { between_leases: betweenLeases, commands, power_pause: powerPause } = settings;
	if (betweenLeases === 'keep') return;
	const hasPower = commands.power_on !== undefined && commands.power_off !== undefined;
	try {
		if (betweenLeases === 'erase') await eraseAll(settings, hasPower);
	} finally {
		// Without power, nothing stays in RAM either.
		if (hasPower) await run(settings, 'power_off');
	}
	if (hasPower) await pause(powerPause * 1000);
}

async function eraseAll(settings: CommandSettings, hasPower: boolean): Promise<void> {
	if (hasPower) await run(settings, 'power_on');
	const end = performance.now() + (hasPower ? maxStart : 0);
	for (;;) {
		try {
			await eraseFlash(settings);
			return await requireErased(settings);
		} catch (cause) {
			if (cause instanceof AgentError) throw cause;
			const message = `${notErased}: ${messageOf(cause)}`;
			if (performance.now() >= end) throw new BoardError('not_erased', message, { cause });
		}
		await wait(retryPause);
	}
}

/** Reads the flash back if there is a tool for it. */
async function requireErased(settings: CommandSettings): Promise<void> {
	if (settings.commands.read_flash === undefined) return;
	const { start, size } = settings.flash;
	const content = await inFolder(settings.mark, async (folder) => {
		const file = join(folder, 'flash.bin');
		const values = { file, address: hexadecimal(start), size: hexadecimal(size) };
		await run(settings, 'read_flash', { folder, values });
		return readFile(file).catch(() => Buffer.alloc(0));
	});
	if (content.length < size) {
		throw new Error(`read_flash has read ${content.length} bytes instead of ${size}`);
	}
	const offset = content.subarray(0, size).findIndex((byte) => byte !== erased);
	if (offset < 0) return;
	const found = `${hexadecimal(content[offset] ?? 0)} instead of ${hexadecimal(erased)}`;
	throw new Error(`the flash has ${found} at ${hexadecimal(start + offset)}`);
}
