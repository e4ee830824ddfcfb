// The console upload in virtual time.
import { expect, onTestFinished, test } from 'vitest';
import { ConsoleUpload } from '../../src/boards/console-upload.ts';
import { mostOutput } from '../../src/boards/output-limit.ts';
import { wait } from '../../src/time.ts';
import { pass, useVirtualTime } from '../support/virtual.ts';

test('input that is written while a request confirms earlier input is confirmed on a silent board', async () => {
	useVirtualTime();
	const confirmed: (number | undefined)[] = [];
	const controller = new AbortController();
	onTestFinished(() => controller.abort());
	const upload = new ConsoleUpload({
		signal: controller.signal,
		async append({ offset, bytes, input }) {
			await wait(60);
			confirmed.push(input);
			return offset + bytes.length;
		},
		onRejected: () => {},
	});
	upload.confirm(1_000);
	await pass(550);
	upload.confirm(2_000);
	upload.confirm(3_000);
	await pass(2_000);
	expect(confirmed).toEqual([1_000, 3_000]);
});

test('a request for all output is confirmed after that output, until the service has responded', async () => {
	useVirtualTime();
	const sent: (readonly [text: string, synced: number | undefined])[] = [];
	const controller = new AbortController();
	onTestFinished(() => controller.abort());
	let away = false;
	const upload = new ConsoleUpload({
		signal: controller.signal,
		async append({ offset, bytes, synced }) {
			await wait(60);
			if (away) throw new TypeError('fetch failed');
			sent.push([Buffer.from(bytes).toString(), synced]);
			return offset + bytes.length;
		},
		onRejected: () => {},
	});
	upload.sync(1);
	await pass(200);
	away = true;
	upload.take(Buffer.from('stuck'));
	await pass(2_000);
	// More than one request takes.
	upload.take(Buffer.alloc(60_000, 'x'));
	await pass(1_000);
	upload.take(Buffer.from(`${'y'.repeat(10_000)}behind`));
	upload.sync(2);
	upload.sync(2);
	await pass(2_000);
	expect(sent).toEqual([['', 1]]);
	away = false;
	await pass(9_000);
	expect(sent.slice(1)).toEqual([
		['stuck', undefined],
		[expect.stringMatching(/^x+y+$/), undefined],
		[expect.stringMatching(/^y+behind$/), 2],
	]);
});

test('the mark for output that was dropped comes before the confirmation', async () => {
	useVirtualTime();
	const sent: (readonly [text: string, synced: number | undefined])[] = [];
	const controller = new AbortController();
	onTestFinished(() => controller.abort());
	const upload = new ConsoleUpload({
		signal: controller.signal,
		async append({ offset, bytes, synced }) {
			sent.push([Buffer.from(bytes).toString(), synced]);
			return offset + bytes.length;
		},
		onRejected: () => {},
	});
	upload.take(Buffer.alloc(mostOutput + 5, 'x'));
	upload.sync(1);
	await pass(1_000);
	expect(sent).toEqual([[expect.stringMatching(/x\r\n\[… 5 bytes dropped …\]\r\n$/), 1]]);
});
