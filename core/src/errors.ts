// The error that ends a request.
import type { ErrorCode } from 'board-access-contract';

export interface ErrorDetails {
	hint?: string;
	param?: string;
	errors?: { path: string; message: string }[];
	headers?: Record<string, string>;
}

/** A response other than success, thrown where the reason becomes known. */
export class ApiError extends Error {
	readonly code: ErrorCode;
	readonly details: ErrorDetails;

	constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
		super(message);
		this.code = code;
		this.details = details;
	}
}
