import { ResponseError } from './errors.ts';

/** The response is not one of this API: most often the base URL belongs to another server. */
export function invalidResponse(message: string) {
	return new ResponseError(message, {
		code: 'invalid_response',
		hint: 'Check that the base URL is the address of the API.',
	});
}
