// What every client gets: the address of the server, and a time limit.

export interface Where {
	/** The origin of the server. */
	origin: string;
	/** Milliseconds for a request; by default that of each client. */
	timeout?: number;
}

export const apiKey = `key_${'0123456789abcdef'.repeat(3)}`;
