// A database of the version before leases, with what was in it, brought up to date.
import { Migrator, sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/database/database.ts';
import { migrate, migrations } from '../../src/database/migrations.ts';
import { hashKey } from '../../src/keys/secret.ts';
import { databaseKinds, emptyDatabase } from '../support/databases.ts';
import { openLab } from '../support/leasing.ts';

const key = `key_${'ab'.repeat(24)}`;
const time = '2026-01-02T03:04:05.678Z';

/** The database as the version before made and filled it. */
async function openOlder(location: string) {
	const { query, close } = await openDatabase(location);
	const before = Object.fromEntries(Object.entries(migrations).slice(0, 7));
	const provider = { getMigrations: async () => before };
	const { error } = await new Migrator({ db: query, provider }).migrateToLatest();
	if (error) throw error;
	await sql`insert into accounts (id, email, role, created_at, updated_at)
		values ('acc_1', 'old@example.com', 'user', ${time}, ${time})`.execute(query);
	await sql`insert into api_keys (id, account_id, hash, hint, created_at)
		values ('key_1', 'acc_1', ${hashKey(key)}, 'key_', ${time})`.execute(query);
	await sql`insert into credit_entries (id, account_id, amount, reason, reference, created_at)
		values ('crd_1', 'acc_1', 5, 'grant', 'old', ${time})`.execute(query);
	for (const status of ['available', 'in_use', 'offline', 'maintenance']) {
		await sql`insert into boards
			(id, name, board_type, status, description, tags, created_at, updated_at)
			values (${`brd_${status}`}, ${status}, 'uno', ${status}, '', '{"rack":"1"}', ${time}, ${time})`.execute(
			query,
		);
	}
	return { query, close };
}

describe.each(databaseKinds)('a database of the version before on %s', (kind) => {
	test('keeps its rows, and its boards can be leased', async () => {
		const location = await emptyDatabase(kind);
		const older = await openOlder(location);
		expect(await migrate(older.query)).toEqual(Object.keys(migrations).slice(7));
		await older.close();

		const lab = await openLab(kind, { database: location });
		const user = lab.requests(key);
		const { data } = (await user.send('GET', '/boards')).body;
		expect(data.map(({ status }: { status: string }) => status)).toEqual([
			'available',
			'in_use',
			'maintenance',
			'offline',
		]);
		expect(data[0]).toEqual({
			id: 'brd_available',
			name: 'available',
			board_type: 'uno',
			status: 'available',
			status_reason: '',
			description: '',
			tags: { rack: '1' },
			credits_per_minute: 0,
			lease_id: null,
			has_agent: false,
			memory: null,
			created_at: time,
			updated_at: time,
		});
		const { body: lease } = await user.lease({ board_type: 'uno' });
		expect(lease).toMatchObject({ status: 'active', board_id: 'brd_available' });
		expect((await user.lease({ board_type: 'uno' })).body.error.message).toBe(
			'No board is available: of 4 of type uno, 2 in use, 1 offline, 1 in maintenance.',
		);
		await user.release(lease.id);
		expect(await user.board('brd_available')).toMatchObject({ status: 'available' });
		await lab.close();
	});
});
