// Shared by the tests of the client: an address, a recognizable key, a client.
import { BoardAccess, type BoardAccessOptions } from 'board-access';
import nock from 'nock';
import { afterEach, beforeEach, expect, vi } from 'vitest';

// Loaded in advance, because Vitest takes longer to load it than some requests here may take.
import '../../src/later.ts';

export const baseUrl = 'https://boards.example.com';
export const apiKey = `key_${'0123456789abcdef'.repeat(3)}`;
export const otherKey = `key_${'fedcba9876543210'.repeat(3)}`;

export function createClient(options: BoardAccessOptions = {}) {
	return new BoardAccess({ apiKey, baseUrl, ...options });
}

/** The error that the work ends with. */
export async function errorOf(work: PromiseLike<unknown>): Promise<unknown> {
	try {
		await work;
	} catch (error) {
		return error;
	}
	throw new Error('it was expected to fail');
}

/** The waits between attempts take no time: they are a multiple of 1 + random / 2. */
export function skipWaits() {
	vi.spyOn(Math, 'random').mockReturnValue(-2);
}

/** nock sends the responses of the service; a response that was set up but not requested is a failure. */
export function useMockedService() {
	beforeEach(() => {
		nock.disableNetConnect();
		skipWaits();
	});
	afterEach(() => {
		const pending = nock.pendingMocks();
		nock.cleanAll();
		nock.enableNetConnect();
		vi.restoreAllMocks();
		expect(pending).toEqual([]);
	});
	return () => nock(baseUrl);
}
