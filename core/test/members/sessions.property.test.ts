// Which tokens authenticate, for random histories of log-ins, requests, confirmations, changes and waits.

import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { runs } from '../../../test/support/runs.ts';
import {
	currentMember,
	deleteOldSessions,
	dropSession,
	endSession,
	endSessions,
	listSessions,
	openSession,
	rotateSession,
} from '../../src/accounts/sessions/sessions.ts';
import { enableAccount, insertAccount, setRole } from '../../src/accounts/store.ts';
import { disableTwoFactor } from '../../src/accounts/two-factor.ts';
import type { Database } from '../../src/database/database.ts';
import { settingsFrom } from '../../src/env.ts';
import { setPassword } from '../../src/members/password.ts';
import { deleteAccount, disableAccount } from '../../src/members/stop.ts';
import { databaseKinds, newAccount, readyDatabase } from '../support/databases.ts';
import { coreOn } from '../support/visitor.ts';

const second = 1000;
const minute = 60 * second;
const idleMinutes = 30;
const hours = 2;

const any = fc.nat(1_000);
const kinds = [
	...(['end', 'end others', 'log out', 'log in again', 'rotate twice'] as const),
	...(['new password', 'role', 'second factor off', 'disable', 'enable', 'delete'] as const),
	...(['housekeeping', 'plant'] as const),
];
const operation = fc.oneof(
	{ weight: 6, arbitrary: fc.record({ kind: fc.constant('request' as const), any }) },
	{ weight: 4, arbitrary: fc.record({ kind: fc.constant('log in' as const), any }) },
	{ weight: 4, arbitrary: fc.record({ kind: fc.constant('rotate' as const), any }) },
	{ weight: 6, arbitrary: fc.record({ kind: fc.constantFrom(...kinds), any }) },
	{
		weight: 5,
		arbitrary: fc.record({
			kind: fc.constant('wait' as const),
			any: fc.constantFrom(
				...[1, second, 9 * second, 10 * second - 1, 10 * second, minute, 14 * minute],
				...[15 * minute, idleMinutes * minute - 1, idleMinutes * minute],
			),
		}),
	},
);

interface Session {
	id: string;
	owner: Owner;
	token: string;
	former?: string;
	rotatedAt: number;
	confirmedAt: number;
	usedAt: number;
	expiresAt: number;
	ended: boolean;
}

interface Owner {
	id: string;
	state: 'active' | 'disabled' | 'deleted';
	role: 'user' | 'admin';
}

describe.each(databaseKinds)('on %s', (kind) => {
	let database: Database;
	let now = Date.parse('2027-01-31T00:00:00Z');
	beforeAll(async () => {
		database = await readyDatabase(kind);
		Object.assign(database.clock, { now: () => now });
		// So that the others can be demoted, disabled and deleted.
		await newAccount(database, 'admin');
	});
	afterAll(() => database.close());

	async function newOwner(): Promise<Owner> {
		const email = `${randomBytes(8).toString('hex')}@example.com`;
		const { id } = await insertAccount(database.query, { email, password_hash: 'x' });
		return { id, state: 'active', role: 'user' };
	}

	async function run(operations: { kind: string; any: number }[]) {
		const { query } = database;
		const settings = { ...settingsFrom({}), sessionIdleMinutes: idleMinutes };
		const core = coreOn(database, { settings });
		const owners = [await newOwner(), await newOwner()];
		const sessions: Session[] = [];
		/** Every token that there ever was, as a thief may have kept it. */
		const tokens: { token: string; session?: Session }[] = [];

		const pick = <Item>(items: Item[], any: number) => items[any % items.length];
		const endAll = (owner: Owner, except?: Session) => {
			for (const session of sessions) {
				if (session.owner === owner && session !== except) session.ended = true;
			}
		};
		const isLive = ({ owner, ended, usedAt, expiresAt }: Session) =>
			!ended && owner.state === 'active' && now < expiresAt && now < usedAt + idleMinutes * minute;

		/** What the token should get: nothing, or its session, confirmed or not. */
		const expected = (token: string, session: Session | undefined) => {
			if (!session || !isLive(session)) return undefined;
			const isFormer = token === session.former && now < session.rotatedAt + 10 * second;
			if (token !== session.token && !isFormer) return undefined;
			const confirmed = !isFormer && now < session.confirmedAt + 15 * minute;
			const { owner, id: sessionId } = session;
			return { id: owner.id, role: owner.role, sessionId, confirmed };
		};

		const request = async ({ token, session }: { token: string; session?: Session }) => {
			const found = await currentMember(core, { session: token });
			const seen = found && {
				...{ id: found.id, role: found.role },
				...{ sessionId: found.sessionId, confirmed: found.confirmed },
			};
			expect(seen).toEqual(expected(token, session));
			if (!found || !session || now - session.usedAt < second) return found;
			session.usedAt = now;
			const time = new Date(now).toISOString();
			// The use is recorded in the background.
			await vi.waitFor(
				async () => {
					const row = await query
						.selectFrom('sessions')
						.select('last_used_at')
						.where('id', '=', session.id)
						.executeTakeFirst();
					expect(row?.last_used_at).toBe(time);
				},
				{ interval: 1, timeout: 15_000 },
			);
			return found;
		};

		const open = async (owner: Owner, former?: string) => {
			if (owner.state !== 'active') return;
			if (former !== undefined) await dropSession(query, former);
			for (const session of sessions) if (session.token === former) session.ended = true;
			const visit = { account_id: owner.id, ip_address: '', user_agent: '' };
			const { id, token } = await openSession(query, visit, hours);
			const times = { rotatedAt: 0, confirmedAt: now, usedAt: now };
			const expiresAt = now + hours * 60 * minute;
			const session = { id, owner, token, ...times, expiresAt, ended: false };
			sessions.push(session);
			tokens.push({ token, session });
		};

		const rotate = async (sent: { token: string; session?: Session }, times: number) => {
			const { token, session } = sent;
			if (!(await request(sent)) || !session) return;
			const rotations = Array.from({ length: times }, () => rotateSession(core, session.id, token));
			const given = (await Promise.all(rotations)).filter((next) => next !== undefined);
			// A request with the former token gets no other one.
			expect(given).toHaveLength(token === session.token ? 1 : 0);
			const [next] = given;
			if (next === undefined) return;
			Object.assign(session, { token: next, former: token, rotatedAt: now, confirmedAt: now });
			tokens.push({ token: next, session });
		};

		const act = async ({ kind, any }: { kind: string; any: number }) => {
			const owner = owners[any % 2] as Owner;
			const sent = pick(tokens, any);
			const session = pick(sessions, any);
			const isThere = owner.state !== 'deleted';
			if (kind === 'wait') now += any;
			if (kind === 'log in') await open(owner);
			if (kind === 'housekeeping') await deleteOldSessions(query, idleMinutes);
			if (kind === 'plant') tokens.push({ token: randomBytes(24).toString('base64url') });
			if (kind === 'request' && sent) await request(sent);
			if (kind === 'rotate' && sent) await rotate(sent, 1);
			if (kind === 'rotate twice' && sent) await rotate(sent, 2);
			if (kind === 'log in again' && sent) await open(owner, sent.token);
			if (kind === 'log out' && sent) {
				await dropSession(query, sent.token);
				for (const each of sessions) if (each.token === sent.token) each.ended = true;
			}
			if (kind === 'end' && session) {
				// Only the sessions of the own account.
				await endSession(core, owner.id, session.id);
				if (session.owner === owner) session.ended = true;
			}
			if (kind === 'end others' && session) {
				await endSessions(core, session.owner.id, session.id);
				endAll(session.owner, session);
			}
			if (kind === 'new password' && isThere) {
				await setPassword(query, owner.id, 'y');
				endAll(owner);
				await open(owner);
			}
			if (kind === 'role' && isThere) {
				owner.role = owner.role === 'user' ? 'admin' : 'user';
				await setRole(core, owner.id, owner.role);
				endAll(owner);
			}
			if (kind === 'second factor off' && isThere) {
				const two_factor_at = new Date(now).toISOString();
				const kept = session?.owner === owner ? session : undefined;
				const account = query.updateTable('accounts').set({ two_factor_at });
				await account.where('id', '=', owner.id).execute();
				await disableTwoFactor(query, owner.id, kept?.id);
				endAll(owner, kept);
			}
			if (kind === 'disable' && owner.state === 'active') {
				await disableAccount(core, owner.id);
				owner.state = 'disabled';
				endAll(owner);
			}
			if (kind === 'enable' && owner.state === 'disabled') {
				await enableAccount(core, owner.id);
				owner.state = 'active';
			}
			// Rarely, because nothing happens to the account afterwards.
			if (kind === 'delete' && isThere && any % 5 === 0) {
				await deleteAccount(core, owner.id);
				owner.state = 'deleted';
				endAll(owner);
			}
		};

		for (const each of operations) await act(each);
		for (const owner of owners.filter(({ state }) => state === 'active')) {
			const listed = await listSessions(core, owner.id);
			const live = sessions.filter((session) => session.owner === owner && isLive(session));
			expect(listed.map(({ id }) => id).sort()).toEqual(live.map(({ id }) => id).sort());
		}
		for (const sent of tokens) await request(sent);
	}

	test('a token that should be dead never authenticates, and a live one always does', {
		timeout: 120_000,
		tags: 'generated',
	}, async () => {
		const histories = fc.array(operation, { minLength: 5, maxLength: 40, size: 'max' });
		await fc.assert(fc.asyncProperty(histories, run), { numRuns: runs(20) });
	});
});
