// A credential may be revoked while its request waits: it is confirmed before anything more is sent.
import { ApiError } from 'board-access-core';
import type { ServiceContext } from './environment.ts';

const slowMilliseconds = 50;
const streamMilliseconds = 1_000;
const idleMilliseconds = 10_000;
/** Less than `streamMilliseconds`, so that a stream that sends all the time never waits. */
const roundMilliseconds = 800;

/** The piece of a stream that only shows that it is alive. */
export const beat = Buffer.from(':\n\n');

/** Resolves at the same moments for all who wait, whose lookups then share a query. */
export function sharedMoment(milliseconds: number) {
	const left = milliseconds - (performance.now() % milliseconds);
	return new Promise<void>((resolve) => setTimeout(resolve, left).unref());
}

/** Does what may wait for a body or a change, and rejects if the credential was revoked in the meantime. */
export async function confirmedAfter<Result>(
	c: ServiceContext,
	work: () => Promise<Result>,
): Promise<Result> {
	const began = performance.now();
	try {
		return await work();
	} finally {
		// Before an error, too: with an account, what its request waited for is deleted.
		if (performance.now() - began > slowMilliseconds) await c.get('confirmCaller')?.();
	}
}

/** Says of each piece of a stream whether it may be sent. Errors of the database are thrown. */
export function confirmedPieces(c: ServiceContext) {
	let confirmed = performance.now();
	let isRevoked = false;
	let isRenewing = false;
	const confirm = async () => {
		const now = performance.now();
		try {
			await c.get('confirmCaller')?.();
			confirmed = now;
		} catch (error) {
			if (!(error instanceof ApiError)) throw error;
			isRevoked = true;
		}
	};
	const renew = async () => {
		isRenewing = true;
		await sharedMoment(roundMilliseconds);
		// If it fails, the next piece is confirmed by itself.
		await confirm().catch(() => {});
		isRenewing = false;
	};
	return async (piece: Uint8Array) => {
		const age = performance.now() - confirmed;
		if (age >= (piece === beat ? idleMilliseconds : streamMilliseconds)) await confirm();
		else if (piece !== beat && !isRenewing) void renew();
		return !isRevoked;
	};
}
