// How often pictures of a board are taken and sent, in virtual time.
import { expect, onTestFinished, test } from 'vitest';
import { watchCamera } from '../../src/boards/watches.ts';
import { jpeg } from '../support/camera.ts';
import { pass, useVirtualTime } from '../support/virtual.ts';

function watch({ send = async () => {} }: { send?: () => Promise<void> } = {}) {
	useVirtualTime();
	const controller = new AbortController();
	onTestFinished(() => controller.abort());
	const record = { taken: 0, sent: 0, works: true, failures: [] as string[] };
	const watching = watchCamera({
		async take() {
			record.taken += 1;
			if (!record.works) throw new Error('No camera');
			return jpeg;
		},
		async send() {
			record.sent += 1;
			await send();
		},
		onFailure: (reason) => record.failures.push(reason),
		signal: controller.signal,
	});
	return { watching, record, end: () => controller.abort() };
}

test('a picture is taken and sent once a second, only while somebody looks', async () => {
	const { watching, record } = watch();
	watching.extend(0);
	await pass(5_000);
	expect(record.taken).toBe(0);
	watching.extend(4_000);
	await pass(10_000);
	expect(record).toMatchObject({ taken: 4, sent: 4 });
});

test('no picture is taken after the lease', async () => {
	const { watching, record, end } = watch();
	watching.extend(60_000);
	await pass(1_500);
	end();
	await pass(10_000);
	expect(record).toMatchObject({ taken: 2, failures: [] });
});

test('a camera that fails is reported once, and asked again', async () => {
	const { watching, record } = watch();
	record.works = false;
	watching.extend(60_000);
	await pass(3_500);
	expect(record).toMatchObject({ taken: 4, sent: 0, failures: ['No camera'] });
	record.works = true;
	await pass(2_000);
	record.works = false;
	await pass(2_000);
	expect(record).toMatchObject({ sent: 2, failures: ['No camera', 'No camera'] });
});

test('a picture that the service does not take is no failure of the camera', async () => {
	const { watching, record } = watch({
		send: () => Promise.reject(new Error('The lease is over')),
	});
	watching.extend(60_000);
	await pass(2_500);
	expect(record).toMatchObject({ sent: 3, failures: [] });
});
