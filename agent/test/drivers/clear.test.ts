// What a board keeps of a lease: nothing, unless its configuration says so.
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { until } from '../support/fake-service.ts';
import { type BoardSettings, script, startWith, temporaryFolder } from '../support/running.ts';
import { pass, recordingHardware, startInVirtualTime } from '../support/virtual.ts';

/** A board whose tools write down what they do; those that are broken fail. */
async function recordedBoard({ broken = '', ...settings }: { broken?: string } = {}) {
	const folder = await temporaryFolder();
	const file = join(folder, 'record');
	const breakage = join(folder, 'broken');
	await writeFile(file, '');
	await writeFile(breakage, broken);
	const tool = (name: string) =>
		script(`echo ${name} >> ${file}; ! grep -qw ${name} ${breakage} || { echo no board; exit 1; }`);
	const board = {
		id: 'real',
		type: 'real',
		driver: 'command',
		between_leases: 'erase',
		erase: tool('erase'),
		reset: tool('reset'),
		power_pause: 0,
		...settings,
	} as BoardSettings;
	return {
		board,
		tool,
		breakage,
		/** Waits until the tools have run in this order. */
		see: (...names: string[]) =>
			expect.poll(async () => (await readFile(file, 'utf8')).trim().split('\n')).toEqual(names),
		ran: async () => (await readFile(file, 'utf8')).trim().split('\n'),
	};
}

const failedClearing = (logged: string[]) =>
	logged.some((line) => line.startsWith('Clearing the board failed'));

describe('a board that is erased between two leases', () => {
	test('is erased before the first lease of a process, and once after each lease', async () => {
		const { board, see } = await recordedBoard();
		const { service, agent } = await startWith([board]);
		expect(service.capabilities).toMatchObject({ real: { between_leases: 'erase' } });
		const first = service.grant('real');
		await service.act(first, 'reset');
		service.release(first);
		await see('erase', 'reset', 'erase');
		await service.act(service.grant('real'), 'reset');
		await see('erase', 'reset', 'erase', 'reset');
		await agent.stop();
		await see('erase', 'reset', 'erase', 'reset', 'erase');
		await startWith([board], { service });
		await service.act(service.grant('real'), 'reset');
		await see('erase', 'reset', 'erase', 'reset', 'erase', 'erase', 'reset');
	});

	test('is erased again if another agent may have had a lease in between', async () => {
		const { board, see } = await recordedBoard();
		const { service } = await startWith([board]);
		const first = service.grant('real');
		await service.act(first, 'reset');
		service.release(first);
		await see('erase', 'reset', 'erase');
		service.cut();
		service.release(service.grant('real'));
		service.repair();
		await service.act(service.grant('real'), 'reset');
		await see('erase', 'reset', 'erase', 'erase', 'reset');
	});

	test('is not used if that fails, which says why, and the next lease tries again', async () => {
		const { board, breakage, ran } = await recordedBoard();
		const { service, logged } = await startWith([board]);
		const first = service.grant('real');
		await service.act(first, 'reset');
		await writeFile(breakage, 'erase');
		service.release(first);
		await until(() => failedClearing(logged), 'the failure is logged');
		const second = service.grant('real');
		expect(await service.act(second, 'reset')).toMatchObject({
			status: 'failed',
			cause: 'not_erased',
			message: 'The board cannot be erased after its last lease: sh exited with code 1:\nno board',
		});
		expect((await ran()).filter((name) => name === 'reset')).toHaveLength(1);
		await writeFile(breakage, '');
		expect(await service.act(service.grant('real'), 'reset')).toMatchObject({ status: 'done' });
	});

	test('has power for that even if its user switched it off, and none afterwards', async () => {
		const settings = await recordedBoard();
		const { tool, see } = settings;
		const power = { power_on: tool('on'), power_off: tool('off') };
		const { service } = await startWith([{ ...settings.board, ...power } as BoardSettings]);
		const lease = service.grant('real');
		await service.act(lease, 'power_off');
		service.release(lease);
		await see('on', 'erase', 'off', 'on', 'off', 'off', 'on', 'erase', 'off');
	});

	test('is erased again while it starts', async () => {
		const settings = await recordedBoard();
		const { tool, breakage, see } = settings;
		const power = { power_on: script(`${tool('on')[2]}; echo erase > ${breakage}`) };
		// Only the second attempt succeeds.
		const erase = script(`${tool('erase')[2]?.replace('exit 1', `echo > ${breakage}; exit 1`)}`);
		const { service } = await startWith([
			{ ...settings.board, ...power, erase, power_off: tool('off') } as BoardSettings,
		]);
		expect(await service.act(service.grant('real'), 'reset')).toMatchObject({ status: 'done' });
		await see('on', 'erase', 'erase', 'off', 'on', 'reset');
	});

	test('is erased for an action of the lease too', async () => {
		const { board, see } = await recordedBoard();
		const { service } = await startWith([board]);
		await service.act(service.grant('real'), 'erase');
		await see('erase', 'erase');
	});
});

describe('the flash is read back after it was erased', () => {
	const memory = { start: 0x100, size: 4 };
	const read = async (content: string, more: object = {}) => {
		const { board } = await recordedBoard();
		const read_flash = script(`printf '${content}' > "$1"; echo "$2 $3"`, '{file}');
		const { service } = await startWith([
			{ ...board, memory, read_flash, ...more } as BoardSettings,
		]);
		return service.act(service.grant('real'), 'reset');
	};

	test('and the board is used if every byte of it is erased', async () => {
		// What comes after the memory may be a boot loader.
		expect(await read('\\377\\377\\377\\377boot')).toMatchObject({ status: 'done' });
	});

	test.each([
		['\\377\\377s\\377', 'the flash has 0x73 instead of 0xff at 0x102'],
		['\\377\\377\\377', 'read_flash has read 3 bytes instead of 4'],
		['', 'read_flash has read 0 bytes instead of 4'],
	])('and what else is found is said: %j', async (content, reason) => {
		expect(await read(content)).toMatchObject({
			status: 'failed',
			cause: 'not_erased',
			message: `The board cannot be erased after its last lease: ${reason}`,
		});
	});

	test('and what the tool has not written is said', async () => {
		const failed = await read('', { read_flash: ['true'] });
		expect(failed.message).toMatch(/read_flash has read 0 bytes/);
	});

	test('at the address and of the size of the memory', async () => {
		const folder = await temporaryFolder();
		const text = `printf '\\377\\377\\377\\377' > "$1"; echo "$2 $3" > ${folder}/seen`;
		const read_flash = script(text, '{file}', '{address}', '{size}');
		expect(await read('', { read_flash })).toMatchObject({ status: 'done' });
		expect(await readFile(`${folder}/seen`, 'utf8')).toBe('0x100 0x4\n');
	});
});

test('a tool that cannot erase writes a file of erased bytes', async () => {
	const folder = await temporaryFolder();
	const { board } = await recordedBoard();
	const erase = script(`cp "$1" ${folder}/blank`, '{blank}');
	const settings = { ...board, erase, memory: { start: 0, size: 300 } } as BoardSettings;
	const { service } = await startWith([settings]);
	const lease = service.grant('real');
	await service.act(lease, 'reset');
	expect(await readFile(`${folder}/blank`)).toEqual(Buffer.alloc(300, 0xff));
	await rm(`${folder}/blank`);
	expect(await service.act(lease, 'erase')).toMatchObject({ status: 'done' });
	expect(await readFile(`${folder}/blank`)).toEqual(Buffer.alloc(300, 0xff));
});

test('a board that only loses its power has none between two leases', async () => {
	const { board, tool, see } = await recordedBoard();
	const power = { between_leases: 'power', power_on: tool('on'), power_off: tool('off') };
	const { service } = await startWith([{ ...board, ...power } as BoardSettings]);
	const lease = service.grant('real');
	await service.act(lease, 'reset');
	await see('off', 'on', 'reset');
	service.release(lease);
	await see('off', 'on', 'reset', 'off', 'off');
	await service.act(service.grant('real'), 'reset');
	await see('off', 'on', 'reset', 'off', 'off', 'on', 'reset');
});

test('a board that keeps its firmware is left as it is', async () => {
	const { board, see } = await recordedBoard();
	const { service } = await startWith([{ ...board, between_leases: 'keep' } as BoardSettings]);
	const lease = service.grant('real');
	await service.act(lease, 'reset');
	service.release(lease);
	await service.act(service.grant('real'), 'reset');
	await see('reset', 'reset');
});

test.each(['released', 'its time is up', 'another lease', 'another agent'])(
	'a board is cleared before its next lease however the last one ended: %s',
	async (ending) => {
		const { hardware, record } = recordingHardware();
		hardware.clear = async () => void record.push('clear');
		const { service } = await startInVirtualTime({ hardwareOf: () => hardware });
		const lease = service.grant('real', 10_000);
		await pass(1_000);
		expect(record).toEqual(['clear', 'open']);
		if (ending === 'released') service.release(lease);
		if (ending === 'another agent') service.take();
		if (ending === 'its time is up') await pass(80_000);
		if (ending === 'another agent') service.disconnect();
		await pass(2_000);
		if (ending !== 'another lease') expect(record).toEqual(['clear', 'open', 'close', 'clear']);
		if (ending === 'another agent') return;
		service.grant('real');
		await pass(2_000);
		expect(record).toEqual(['clear', 'open', 'close', 'clear', 'open']);
	},
);
