// A credential may be revoked while its request waits: it is confirmed before anything more is sent.
import { ApiError } from '../errors.ts';
import type { ServiceContext } from './environment.ts';

const slowMilliseconds = 50;
const streamMilliseconds = 1_000;
const idleMilliseconds = 10_000;

/** The piece of a stream that only shows that it is alive. */
export const beat = Buffer.from(':\n\n');

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
	return async (piece: Uint8Array) => {
		const now = performance.now();
		if (now - confirmed < (piece === beat ? idleMilliseconds : streamMilliseconds)) return true;
		try {
			await c.get('confirmCaller')?.();
		} catch (error) {
			if (error instanceof ApiError) return false;
			throw error;
		}
		confirmed = now;
		return true;
	};
}
