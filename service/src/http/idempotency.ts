// Idempotency-Key: what a change is claimed with, so that it happens once if it is requested twice.
import { hash } from 'node:crypto';
import { redact } from 'board-access-contract';
import { type Claim, invalid } from 'board-access-core';
import type { Context } from 'hono';

interface Sent {
	accountId: string;
	/** The body, or what says as much about it. */
	input: unknown;
	/** The key of a form, which shows a secret only once. Other requests have theirs in the header. */
	formKey?: string;
}

/** Undefined without a key. */
export function claimOf(c: Context, { accountId, input, formKey }: Sent): Claim | undefined {
	const key = formKey ?? c.req.header('idempotency-key');
	if (key === undefined) return undefined;
	checkKey(key);
	return {
		account_id: accountId,
		idempotency_key: key,
		request_hash: hash('sha256', JSON.stringify([c.req.method, c.req.path, input])),
		isForm: formKey !== undefined,
	};
}

function checkKey(key: string) {
	const message = !/^[\x20-\x7e]{1,255}$/.test(key)
		? 'must be 1 to 255 printable characters'
		: // It is stored as it is.
			redact(key) !== key && 'must not contain an API key';
	if (message) throw invalid([{ path: 'Idempotency-Key', message }]);
}
