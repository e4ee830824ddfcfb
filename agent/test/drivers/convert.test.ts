// Files that are hard to read: another board is driven meanwhile.
import { expect, test } from 'vitest';
import { convertFirmware } from '../../src/drivers/convert.ts';
import { convertInThread } from '../../src/drivers/convert-in-thread.ts';
import { type BoardSettings, script, startWith } from '../support/running.ts';

const pages = 3;

/** Intel HEX of 2.5 MB, with one byte in each record, in few sections. */
function trickyFile() {
	const records: string[] = [];
	const digits = (value: number, length: number) => value.toString(16).padStart(length, '0');
	for (let page = 0; page < pages; page++) {
		const sum = 2 + 4 + (page >> 8) + (page & 0xff);
		records.push(`:02000004${digits(page, 4)}${digits(-sum & 0xff, 2)}\n`);
		for (let at = 0; at < 0x10000; at++) {
			const sum = 1 + (at >> 8) + (at & 0xff);
			records.push(`:01${digits(at, 4)}0000${digits(-sum & 0xff, 2)}\n`);
		}
	}
	return Buffer.from(`${records.join('')}:00000001ff\n`);
}

const board = (id: string, more: object = {}): BoardSettings => ({
	id,
	type: 'real',
	driver: 'command',
	between_leases: 'keep',
	flash: script('true', '{file}'),
	reset: ['true'],
	formats: ['hex'],
	...more,
});

test('while a large file is read for one board, another is reset', { tags: 'long' }, async () => {
	const { service } = await startWith([board('busy', { formats: ['raw'] }), board('other')]);
	const [busy, other] = [service.grant('busy'), service.grant('other')];
	const flash = service.request(busy, 'flash', { file: trickyFile() });
	while (flash.status !== 'done' && flash.status !== 'failed') {
		expect(await service.act(other, 'reset')).toMatchObject({ status: 'done' });
	}
	expect(flash).toMatchObject({ status: 'done' });
});

test('the agent is never blocked for as long as it takes to read a file', async () => {
	const flash = { start: 0, size: 0xffff_ffff };
	const conversion = { bytes: trickyFile(), formats: ['raw' as const], flash, offset: 0 };
	// Of this thread, which other threads and processes do not change.
	const began = process.threadCpuUsage();
	const expected = convertFirmware(conversion);
	expect(expected.bytes).toHaveLength(pages * 0x10000);
	const alone = process.threadCpuUsage(began).user;
	const handedOver = process.threadCpuUsage();
	const converted = await convertInThread(conversion, new AbortController().signal);
	const { user } = process.threadCpuUsage(handedOver);
	expect(Buffer.compare(converted.bytes, expected.bytes)).toBe(0);
	expect(user).toBeLessThan(alone / 2);
});

test('a file that cannot be read leaves an emulated board as it is', async () => {
	const { service } = await startWith([{ id: 'uno', type: 'arduino-uno', driver: 'emulated' }]);
	const lease = service.grant('uno');
	const failed = await service.act(lease, 'flash', { file: Buffer.from(':00000001fe\n') });
	expect(failed).toMatchObject({ status: 'failed', message: expect.stringMatching(/^Line 1: /) });
	expect(await service.act(lease, 'reset')).toMatchObject({ status: 'done' });
	expect(lease.output).toHaveLength(0);
});
