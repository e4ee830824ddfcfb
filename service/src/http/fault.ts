// What a request can be answered with when it is not granted: one class, one list of codes.
import { type ErrorCode, errorStatuses } from 'board-access-contract';

export interface FaultDetails {
	hint?: string;
	param?: string;
	errors?: { path: string; message: string }[];
	headers?: Record<string, string>;
}

/** An answer other than success, thrown where it becomes known. */
export class ApiFault extends Error {
	readonly code: ErrorCode;
	readonly details: FaultDetails;

	constructor(code: ErrorCode, message: string, details: FaultDetails = {}) {
		super(message);
		this.code = code;
		this.details = details;
	}
}

const fixedHeaders: Partial<Record<ErrorCode, Record<string, string>>> = {
	credentials_missing: { 'www-authenticate': 'Bearer' },
	api_key_malformed: { 'www-authenticate': 'Bearer error="invalid_token"' },
	api_key_invalid: { 'www-authenticate': 'Bearer error="invalid_token"' },
	api_key_revoked: { 'www-authenticate': 'Bearer error="invalid_token"' },
	unavailable: { 'retry-after': '2' },
};

/** The response that tells a fault, in the form that the caller asked for. */
export const faultResponse = (fault: ApiFault, request: Request, requestId: string) => {
	const { code, message, details } = fault;
	const { headers, ...rest } = details;
	const status = errorStatuses[code];
	const problem = request.headers.get('accept')?.includes('application/problem+json') ?? false;
	const body = problem
		? {
				type: 'about:blank',
				title: code,
				status,
				detail: message,
				code,
				...rest,
				request_id: requestId,
			}
		: { error: { code, message, ...rest, request_id: requestId } };
	return new Response(JSON.stringify(body), {
		status,
		headers: {
			'content-type': problem ? 'application/problem+json' : 'application/json',
			'cache-control': 'no-store',
			'x-content-type-options': 'nosniff',
			'x-request-id': requestId,
			...fixedHeaders[code],
			...headers,
		},
	});
};
