// The console upload in virtual time.
import { expect, onTestFinished, test } from 'vitest';
import { ConsoleUpload } from '../../src/boards/console-upload.ts';
import { wait } from '../../src/time.ts';
import { pass, useVirtualTime } from '../support/virtual.ts';

test('input that is written while a request confirms earlier input is confirmed on a silent board', async () => {
	useVirtualTime();
	const confirmed: (number | undefined)[] = [];
	const controller = new AbortController();
	onTestFinished(() => controller.abort());
	const upload = new ConsoleUpload({
		signal: controller.signal,
		async append(offset, bytes, input) {
			await wait(60);
			confirmed.push(input);
			return offset + bytes.length;
		},
		onRefused: () => {},
	});
	upload.confirm(1_000);
	await pass(550);
	upload.confirm(2_000);
	upload.confirm(3_000);
	await pass(2_000);
	expect(confirmed).toEqual([1_000, 3_000]);
});
