// Identifies a form, so that sending it twice changes something once.
import { randomUUID } from 'node:crypto';

export function FormToken() {
	return <input type="hidden" name="token" value={randomUUID()} />;
}

/** The idempotency key of a form; without a token of ours, every request is a new one. */
export function formKey(token: string) {
	return `web ${/^[\w -]{1,200}$/.test(token) ? token : randomUUID()}`;
}
