// Keeps the errors of others, which may hold a whole request, out of sight.
import { redact } from '../contract/index.ts';

/**
 * A plain copy of somebody else's error. A fetch of the caller's own may hang the whole request,
 * headers and key included, on the errors that it throws; only what explains the failure is kept.
 */
export function redactedCause(error: unknown, depth = 0): Error | undefined {
	if (!(error instanceof Error) || depth > 4) return undefined;
	const cause = redactedCause(error.cause, depth + 1);
	const copy: Error & { code?: string } = new Error(redact(error.message), cause && { cause });
	copy.name = redact(error.name);
	copy.stack = redact(error.stack ?? copy.message);
	const code = 'code' in error ? error.code : undefined;
	if (typeof code === 'string') copy.code = redact(code);
	return copy;
}
