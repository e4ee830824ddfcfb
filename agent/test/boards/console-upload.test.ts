// The console upload in virtual time.
import { expect, onTestFinished, test } from 'vitest';
import { ConsoleUpload } from '../../src/boards/console-upload.ts';
import { maxOutput } from '../../src/boards/output-limit.ts';
import { ServiceError } from '../../src/link/service.ts';
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
	upload.take(Buffer.alloc(maxOutput + 5, 'x'));
	upload.sync(1);
	await pass(1_000);
	expect(sent).toEqual([[expect.stringMatching(/x\r\n\[… 5 bytes dropped …\]\r\n$/), 1]]);
});

test('output after a silence is sent at once, what follows without a pause less and less often, an echo at once', async () => {
	useVirtualTime();
	const sent: { text: string; at: number }[] = [];
	const controller = new AbortController();
	onTestFinished(() => controller.abort());
	const upload = new ConsoleUpload({
		signal: controller.signal,
		async append({ offset, bytes }) {
			sent.push({ text: Buffer.from(bytes).toString(), at: performance.now() });
			return offset + bytes.length;
		},
		onRejected: () => {},
	});
	const printFor = async (milliseconds: number) => {
		const from = sent.length;
		for (let time = 0; time < milliseconds; time += 5) {
			upload.take(Buffer.from('x'));
			await pass(5);
		}
		return sent.slice(from);
	};
	const [first] = await printFor(1_000);
	expect(first).toEqual({ text: 'x', at: 0 });
	expect(sent.length).toBeLessThan(12);
	expect((await printFor(5_000)).length).toBeLessThanOrEqual(20);
	await printFor(100);
	const typedAt = performance.now();
	upload.confirm(1);
	await pass(10);
	upload.take(Buffer.from('echo'));
	await pass(1);
	expect(sent.at(-1)).toMatchObject({ text: 'echo' });
	expect(sent.filter(({ at }) => at >= typedAt)).toHaveLength(2);
	await pass(300);
	upload.take(Buffer.from('later'));
	await pass(1);
	expect(sent.at(-1)).toMatchObject({ text: 'later' });
});

test('an action and a request for all output do not wait for more output', async () => {
	useVirtualTime();
	let sent = 0;
	const controller = new AbortController();
	onTestFinished(() => controller.abort());
	const upload = new ConsoleUpload({
		signal: controller.signal,
		async append({ offset, bytes }) {
			sent += bytes.length;
			return offset + bytes.length;
		},
		onRejected: () => {},
	});
	const print = async () => {
		for (let count = 0; count < 300; count += 1) {
			upload.take(Buffer.from('x'));
			await pass(5);
		}
	};
	await print();
	expect(sent).toBeLessThan(300);
	const marked = upload.mark();
	await pass(1);
	expect(await marked).toBe(300);
	await print();
	upload.sync(1);
	await pass(1);
	expect(sent).toBe(600);
});

test('no mark waits for a lease that has ended, not even one set after a rejection', async () => {
	useVirtualTime();
	const controller = new AbortController();
	onTestFinished(() => controller.abort());
	let rejections = 0;
	const upload = new ConsoleUpload({
		signal: controller.signal,
		async append() {
			throw new ServiceError(400, { code: 'invalid_request' });
		},
		onRejected: () => {
			rejections += 1;
		},
	});
	const offsets: (number | undefined)[] = [];
	const mark = () => void upload.mark().then((offset) => offsets.push(offset));
	upload.take(Buffer.from('rejected'));
	mark();
	await pass(1_000);
	expect({ rejections, offsets }).toEqual({ rejections: 1, offsets: [undefined] });
	mark();
	await pass(1_000);
	expect({ rejections, offsets }).toEqual({ rejections: 1, offsets: [undefined] });
	controller.abort();
	await pass(0);
	expect(offsets).toEqual([undefined, undefined]);
});
