import type { ErrorCode } from 'board-access-contract';

export interface ErrorDetails {
	hint?: string;
	param?: string;
	errors?: { path: string; message: string }[];
	headers?: Record<string, string>;
}

/** An error that is sent as the response. */
export class ApiError extends Error {
	readonly code: ErrorCode;
	readonly details: ErrorDetails;

	constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
		super(message);
		this.code = code;
		this.details = details;
	}
}

/** Reads the result of a committed change. If this fails, the response is a 500, because a 503 says that nothing changed. */
export async function afterChange<Result>(reading: Promise<Result>) {
	return reading.catch((cause: unknown) => {
		if (cause instanceof ApiError) throw cause;
		throw new Error('The change is committed, but its result cannot be read.', { cause });
	});
}
