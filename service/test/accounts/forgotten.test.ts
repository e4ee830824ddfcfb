// A word that somebody writes wherever the service lets them is nowhere after their account is deleted.
import { existsSync, readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { afterEach, describe, expect, test } from 'vitest';
import { record } from '../../../core/src/activity/record.ts';
import { grantCredits } from '../../../core/src/credits/store.ts';
import type { Db } from '../../../core/src/database/schema.ts';
import { createLink } from '../../../core/src/members/links.ts';
import { emptyDatabase } from '../../../core/test/support/databases.ts';
import { inProcess } from '../support/backends.ts';
import { openBench } from '../support/bench.ts';
import { connectAgent } from '../support/scripted-agent.ts';
import { sendForm, sessionOf } from '../web/support/lab.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
	for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const word = 'quuxzanzibar';
const board = 'brd_bench_1';

/** Every column of every table in which the word is, so that new ones are found by themselves. */
async function placesOf(db: Db, kind: string) {
	const listing =
		kind === 'SQLite'
			? sql<{ name: string }>`select name from sqlite_master where type = 'table'`
			: sql<{ name: string }>`select tablename as name from pg_tables where schemaname = 'public'`;
	const found = new Set<string>();
	for (const { name } of (await listing.execute(db)).rows) {
		const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(
			db,
		);
		for (const [column, value] of rows.flatMap((row) => Object.entries(row))) {
			const text =
				value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value);
			if (text.includes(word)) found.add(`${name}.${column}`);
		}
	}
	return [...found].sort();
}

describe.each(inProcess)('$name', (opening) => {
	const open = async () => {
		const database = await emptyDatabase(opening.kind);
		const bench = await openBench({
			...opening,
			open: (more) => opening.open({ ...more, database }),
		});
		cleanups.push(bench.close);
		const driven = { [board]: ['reset', 'flash'] };
		const agent = await connectAgent(bench.sendAsAgent, { driven, obliging: true });
		cleanups.push(agent.cut);
		return { bench, agent, database, query: bench.services.database.query };
	};
	type Opened = Awaited<ReturnType<typeof open>>;

	const email = `${word}@example.com`;
	const password = `a ${word} sentence`;
	const origin = 'http://localhost';

	/** Signs up, and writes the word into everything that takes a text or a file. */
	const writeEverywhere = async ({ bench, agent, query }: Opened) => {
		await record(query, { kind: 'account.invited', details: { email } });
		const signedUp = await bench.fetch(`${origin}/signup`, {
			method: 'POST',
			body: new URLSearchParams({ email, password }),
			headers: { origin, accept: 'text/html', 'user-agent': `${word}/1.0` },
			redirect: 'manual',
		});
		const cookie = sessionOf(signedUp);
		const { id } = await query
			.selectFrom('accounts')
			.select('id')
			.where('email', '=', email)
			.executeTakeFirstOrThrow();
		await grantCredits(bench.services, { account_id: id, amount: 10 });
		await createLink(query, { kind: 'reset', email });
		let sent = 0;
		const send = async (path: string, body: object | string) => {
			sent += 1;
			const type = typeof body === 'string' ? 'application/octet-stream' : 'application/json';
			const response = await bench.fetch(`${origin}/v1${path}`, {
				method: 'POST',
				body: typeof body === 'string' ? body : JSON.stringify(body),
				headers: { cookie, origin, 'content-type': type, 'idempotency-key': `${word} ${sent}` },
			});
			expect([path, response.ok]).toEqual([path, true]);
			return response.status === 204 ? {} : response.json();
		};
		const label = `for ${word}`;
		await send('/auth/keys', { label });
		const { id: lease } = await send('/leases', { board_id: board, minutes: 5, label });
		const headers = { cookie };
		const read = async () =>
			(await bench.fetch(`${origin}/v1/leases/${lease}`, { headers })).json();
		await expect.poll(read).toMatchObject({ status: 'active' });
		const file = await send(`/leases/${lease}/files?raw=true`, `${word} `.repeat(10_000));
		await agent.cut();
		const { id: action } = await send(`/leases/${lease}/actions`, {
			action: 'flash',
			file_id: file.id,
		});
		const fence = agent.fence(board);
		await agent.report(action, { fence, status: 'failed', message: `no ${word}` });
		await send(`/leases/${lease}/console?piece=${word}`, `${word}\r`);
		const lost = { change: 9, status: 'disconnected', gap_ms: 0, message: `no ${word}` };
		const query9 = `&console=${encodeURIComponent(JSON.stringify(lost))}`;
		const data = `${word} `.repeat(4_000);
		expect((await agent.write(lease, { fence, offset: 0, data, query: query9 })).status).toBe(200);
		return { cookie, id };
	};

	test('a deleted account leaves no word of it in any table or file', async () => {
		const opened = await open();
		const { bench, query, database } = opened;
		const { cookie, id } = await writeEverywhere(opened);
		const planted = await placesOf(query, opening.kind);
		expect(planted).toEqual(
			expect.arrayContaining([
				...['account_links.email', 'accounts.email', 'activity.details', 'api_keys.label'],
				...['console_chunks.data', 'console_chunks.piece', 'file_contents.data'],
				...['idempotency.idempotency_key', 'lease_actions.message', 'leases.console_message'],
				...['leases.label', 'sessions.user_agent'],
			]),
		);
		const page = await bench.fetch(`${origin}/account/delete`, {
			headers: { cookie, accept: 'text/html' },
		});
		expect(await page.text()).toContain('What stays, without your address: the ledger');
		const confirmed = { confirmation: password };
		const deleted = await sendForm(bench, '/account/delete', confirmed, cookie);
		expect(deleted.headers.get('location')).toBe('/login');
		expect(await placesOf(query, opening.kind)).toEqual([]);
		if (opening.kind === 'SQLite') {
			for (const path of [database, `${database}-wal`].filter(existsSync)) {
				expect([path, readFileSync(path).includes(word)]).toEqual([path, false]);
			}
		}
		const stays = await query
			.selectFrom('leases')
			.select(['board_id', 'status', 'end_reason'])
			.where('account_id', '=', id)
			.execute();
		expect(stays).toEqual([{ board_id: board, status: 'ended', end_reason: 'released' }]);
		const activity = await query
			.selectFrom('activity')
			.select(['kind', 'details', 'address'])
			.where('account_id', '=', id)
			.where('kind', '<>', 'account.deleted')
			.execute();
		expect(activity.map(({ kind }) => kind)).toContain('key.created');
		for (const entry of activity) expect(entry).toMatchObject({ details: '{}', address: null });
	});
});
