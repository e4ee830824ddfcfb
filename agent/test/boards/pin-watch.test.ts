// How often the pins of a board are sampled and sent, in virtual time.
import { describe, expect, test } from 'vitest';
import { watchPins } from '../../src/boards/watches.ts';
import { pass, useVirtualTime } from '../support/virtual.ts';

function watch({ send = async () => {} }: { send?: () => Promise<void> } = {}) {
	useVirtualTime();
	const controller = new AbortController();
	const record = { sampled: 0, rested: 0, sent: 0, high: 0 };
	const pins = {
		names: ['D13'],
		analog: [],
		volts: 5,
		async sample() {
			record.sampled += 1;
			const { high } = record;
			return { power: true, leds: {}, pins: { D13: { mode: 'out' as const, high } } };
		},
		rest() {
			record.rested += 1;
		},
		drive() {},
	};
	const watching = watchPins(pins, {
		async send() {
			record.sent += 1;
			await send();
		},
		signal: controller.signal,
	});
	return { watching, record, end: () => controller.abort() };
}

describe('a board that nobody looks at', () => {
	test('is not sampled', async () => {
		const { watching, record } = watch();
		watching.extend(0);
		await pass(5_000);
		expect(record).toMatchObject({ sampled: 0, rested: 0 });
	});

	test('is not sampled any more once the time is up, and looked at again later', async () => {
		const { watching, record } = watch();
		watching.extend(1_000);
		await pass(1_500);
		expect(record).toMatchObject({ sampled: 10, rested: 1 });
		watching.extend(1_000);
		await pass(1_500);
		expect(record).toMatchObject({ sampled: 20, rested: 2 });
	});

	test('is not sampled after its lease', async () => {
		const { watching, record, end } = watch();
		watching.extend(10_000);
		await pass(450);
		end();
		await pass(10_000);
		expect(record).toMatchObject({ sampled: 5, rested: 1 });
	});
});

test('a sample is sent when it differs from the last one, and every four seconds', async () => {
	const { watching, record } = watch();
	watching.extend(60_000);
	await pass(3_000);
	expect(record.sent).toBe(1);
	record.high = 1;
	await pass(500);
	expect(record.sent).toBe(2);
	await pass(4_000);
	expect(record.sent).toBe(3);
});

test('samples wait for the one before, and a failed one is followed by another after a second', async () => {
	const sending = Promise.withResolvers<void>();
	const { watching, record } = watch({ send: () => sending.promise });
	watching.extend(60_000);
	await pass(5_000);
	expect(record.sent).toBe(1);
	sending.reject(new Error('The service is away'));
	await pass(900);
	expect(record.sent).toBe(1);
	await pass(300);
	expect(record.sent).toBe(2);
});
