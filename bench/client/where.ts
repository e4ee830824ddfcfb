// What every client is told: where the server is, and the limit of a call.

export interface Where {
	/** The origin of the server. */
	origin: string;
	/** Milliseconds for a call; without it each client keeps its own. */
	timeout?: number;
}

export const apiKey = `key_${'0123456789abcdef'.repeat(3)}`;
