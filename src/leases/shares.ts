// With whom a lease is shared.
import * as z from 'zod/mini';
import { leaseShareFields } from '../contract/lease.ts';
import { InputError } from '../errors/errors.ts';
import { createListing } from '../http/list.ts';
import { recordPath } from '../http/path.ts';
import { jsonBody } from '../records/json.ts';
import { readInput, recordReader } from '../records/records.ts';
import type { RequestOptions } from '../settings/settings.ts';
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
	lease: TrackedLease,
	email: string,
	given: { access: string },
	options?: RequestOptions,
): Promise<LeaseShare> {
	return await lease.transport.request({
		method: 'PUT',
		path: sharePath(lease, email),
		body: jsonBody(readInput(access, given, access)),
		isPatient: true,
		options,
		read: (body) => readShare(body),
	});
}

export async function unshare(lease: TrackedLease, email: string, options?: RequestOptions) {
	const path = sharePath(lease, email);
	const read = () => undefined;
	await lease.transport.request({ method: 'DELETE', path, isPatient: true, options, read });
}

function sharePath({ path }: TrackedLease, email: string) {
	if (typeof email === 'string' && email.includes('@'))
		return recordPath(`${path}/shares`, email, 'share');
	throw new InputError([{ path: 'email', message: 'must be an email address' }]);
}
