// Credentials of streams that send all the time.
import { afterEach, expect, test, vi } from 'vitest';
import { ApiError } from '../../../core/src/errors.ts';
import { confirmedPieces } from '../../src/http/confirm.ts';
import type { ServiceContext } from '../../src/http/environment.ts';

afterEach(() => {
	vi.useRealTimers();
});

/** A stream that sends a piece every 100 ms as long as it may, beginning a little after the one before. */
function stream(number: number, confirmCaller: () => Promise<void>) {
	// Nothing else of the context is used.
	const c = { get: () => confirmCaller } as unknown as ServiceContext;
	const isConfirmed = confirmedPieces(c);
	const piece = Buffer.from('piece');
	const sent = { pieces: 0, waited: 0 };
	const send = async () => {
		const began = performance.now();
		if (!(await isConfirmed(piece))) return clearInterval(timer);
		sent.pieces += 1;
		sent.waited = Math.max(sent.waited, performance.now() - began);
	};
	let timer: NodeJS.Timeout | undefined;
	setTimeout(() => {
		timer = setInterval(send, 100);
	}, number);
	return { sent, end: () => clearInterval(timer) };
}

test('streams are confirmed at the same time, once a second, and no piece waits for it', async () => {
	vi.useFakeTimers();
	const times: number[] = [];
	const confirm = async () => {
		times.push(performance.now());
		const { promise, resolve } = Promise.withResolvers<void>();
		setTimeout(resolve, 20);
		await promise;
	};
	const streams = Array.from({ length: 50 }, (_, number) => stream(number, confirm));
	await vi.advanceTimersByTimeAsync(10_000);
	for (const { end } of streams) end();
	expect(times.length).toBeGreaterThanOrEqual(50 * 8);
	expect(times.length).toBeLessThanOrEqual(50 * 13);
	expect(new Set(times).size).toBeLessThanOrEqual(2 * 13);
	expect(Math.max(...streams.map(({ sent }) => sent.waited))).toBe(0);
});

test('a stream ends within a second after its credential was revoked', async () => {
	vi.useFakeTimers();
	let isRevoked = false;
	const { sent } = stream(0, async () => {
		if (isRevoked) throw new ApiError('api_key_revoked', 'This API key is revoked.');
	});
	await vi.advanceTimersByTimeAsync(5_000);
	isRevoked = true;
	const before = sent.pieces;
	await vi.advanceTimersByTimeAsync(10_000);
	expect(sent.pieces - before).toBeLessThanOrEqual(10);
});
