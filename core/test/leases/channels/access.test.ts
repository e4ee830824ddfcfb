// When a channel has to end, case by case.
import { expect, test } from 'vitest';
import { type Standing, whyOver } from '../../../src/leases/channels/access.ts';

const now = '2027-01-01T00:00:00.000Z';
const past = '2026-12-31T23:59:59.999Z';
const later = '2027-01-01T00:00:01.000Z';

/** The holder uses the lease with a key. */
const own: Standing = {
	id: 'chn_1',
	account_id: 'acc_1',
	holder_id: 'acc_1',
	disabled_at: null,
	verified_at: null,
	access: null,
	key_id: 'key_1',
	key: 'key_1',
	key_ends: null,
	session_id: null,
	session: null,
	session_ends: null,
};
const bySession = { ...own, key_id: null, key: null, session_id: 'ses_1', session: 'ses_1' };
const shared = { ...own, holder_id: 'acc_2', access: 'type', verified_at: past } as const;

test.each<[string, Standing, string | undefined]>([
	['the holder', own, undefined],
	['a key that expires later', { ...own, key_ends: later }, undefined],
	['a key that has expired', { ...own, key_ends: now }, 'credential_ended'],
	['a key that was revoked', { ...own, key: null }, 'credential_ended'],
	['a disabled account', { ...own, disabled_at: past }, 'credential_ended'],
	['a session', { ...bySession, session_ends: later }, undefined],
	['a session that has expired', { ...bySession, session_ends: past }, 'credential_ended'],
	['a session that was ended', { ...bySession, session: null }, 'credential_ended'],
	['a lease that has ended or has another board', { ...own, holder_id: null }, 'lease_ended'],
	['a colleague who may type', shared, undefined],
	['a colleague who may only look, or no more', { ...shared, access: null }, 'access_ended'],
	['a colleague without a verified address', { ...shared, verified_at: null }, 'access_ended'],
])('%s', (_, standing, code) => {
	expect(whyOver(standing, now)?.code).toBe(code);
});
