// With whom a lease is shared.
import * as z from 'zod/mini';
import { leaseShareFields } from '../contract/lease.ts';
import { InputError } from '../errors/errors.ts';
import { createListing } from '../http/list.ts';
import { jsonBody } from '../records/json.ts';
import { readInput, recordReader } from '../records/records.ts';
import type { RequestOptions } from '../settings/settings.ts';
import { LeaseNotSharedError } from './errors.ts';
import { uniqueKey } from './helpers.ts';
import type { TrackedLease } from './tracked-lease.ts';
import type { LeaseShare } from './types.ts';

const readShare = recordReader(leaseShareFields, { complete: true });
const access = { access: z.string() };

export async function listShares({ transport, path }: TrackedLease, options?: RequestOptions) {
	return await createListing<LeaseShare>(transport.request, () => ({
		path: `${path}/shares`,
		read: (body) => readShare(body),
		isPatient: true,
		options,
	}));
}

export async function share(
	{ transport, path }: TrackedLease,
	email: string,
	given: { access: string },
	options?: RequestOptions,
): Promise<LeaseShare> {
	return await transport.request({
		method: 'PUT',
		path: `${path}/shares`,
		body: jsonBody({ email: addressOf(email), ...readInput(access, given, access) }),
		isPatient: true,
		options: { idempotencyKey: uniqueKey(), ...options },
		read: (body) => readShare(body),
	});
}

export async function unshare(
	{ transport, path }: TrackedLease,
	email: string,
	options?: RequestOptions,
) {
	await transport.request({
		method: 'POST',
		path: `${path}/shares/remove`,
		body: jsonBody({ email: addressOf(email) }),
		isPatient: true,
		options: { idempotencyKey: uniqueKey(), ...options },
		read: () => undefined,
	});
}

export async function leave({ transport, path }: TrackedLease, options?: RequestOptions) {
	const [own, read] = [`${path}/shares/own`, () => undefined];
	try {
		await transport.request({ method: 'DELETE', path: own, isPatient: true, options, read });
	} catch (error) {
		// The response to an earlier attempt may have been lost.
		if (!(error instanceof LeaseNotSharedError)) throw error;
	}
}

function addressOf(email: string) {
	if (typeof email === 'string' && email.includes('@')) return email;
	throw new InputError([{ path: 'email', message: 'must be an email address' }]);
}
