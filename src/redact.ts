// Keeps API keys out of everything that people and logs get to see.

/** The text with every API key in it made unreadable. */
export const redact = (text: string) => text.replace(/key_[0-9a-f]{48}/gi, 'key_[redacted]');

/**
 * A plain copy of somebody else's error. A fetch of the caller's own may hang the whole request,
 * headers and key included, on the errors that it throws; only what explains the failure is kept.
 */
export const redactedCause = (error: unknown, depth = 0): Error | undefined => {
	if (!(error instanceof Error) || depth > 4) return undefined;
	const cause = redactedCause(error.cause, depth + 1);
	const copy: Error & { code?: string } = new Error(redact(error.message), cause && { cause });
	copy.name = redact(error.name);
	copy.stack = redact(error.stack ?? copy.message);
	const code = 'code' in error ? error.code : undefined;
	if (typeof code === 'string') copy.code = redact(code);
	return copy;
};
