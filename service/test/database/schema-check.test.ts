// A service whose database has another schema than that of its migrations: nothing is served, and commands say why.
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { openDatabase } from '../../../core/src/database/database.ts';
import { databaseKinds, databaseWith } from '../../../core/test/support/databases.ts';
import { createService } from '../../src/service.ts';
import { runHere } from '../support/command.ts';

describe.each(databaseKinds)('on %s', (kind) => {
	test('a service is not ready once its schema has lost something, and may go on beside additions', {
		tags: 'long',
	}, async () => {
		const database = await databaseWith(kind);
		const service = await createService({ database });
		const ready = () => service.fetch('http://localhost/readyz');
		const { query, close } = await openDatabase(database);
		await sql`alter table agents add column note text`.execute(query);
		expect((await ready()).status).toBe(200);
		await sql`drop index sessions_former`.execute(query);
		await expect.poll(async () => (await ready()).status, { timeout: 20_000 }).toBe(503);
		expect(await (await ready()).json()).toMatchObject({
			error: {
				message: expect.stringMatching(/has made: index sessions_former on sessions is missing\.$/),
			},
		});
		await close();
		await service.close();
	});
});

test.each(['start', 'migrate', 'account list'])(
	'%s says what differs, and exits with 1',
	async (command) => {
		const database = await databaseWith('SQLite', 'alter table leases drop column input_taken');
		await expect(runHere(database, ...command.split(' '))).rejects.toMatchObject({
			code: 1,
			stdout: '',
			stderr: expect.stringContaining('column leases.input_taken is missing'),
		});
	},
);

describe('a role without the privilege to create schemas', () => {
	/** The address of a database for a role that may do only this, and what the command says there. */
	async function migrateAs(privileges: string, ...statements: string[]) {
		const database = new URL(await databaseWith('PostgreSQL', ...statements));
		const { query, close } = await openDatabase(database.href);
		const role = database.pathname.slice(1);
		await sql.raw(`create role ${role} login password 'limited'`).execute(query);
		await sql.raw(`grant ${privileges} to ${role}`).execute(query);
		await close();
		const limited = Object.assign(new URL(database), { username: role, password: 'limited' });
		return runHere(limited.href, 'migrate');
	}
	const ordinary = 'select, insert, update on all tables in schema public';

	test('is told that it needs it', async () => {
		await expect(migrateAs(ordinary, 'create table notes (text text)')).rejects.toMatchObject({
			stderr: expect.stringContaining('needs the privilege CREATE on its database'),
		});
	});

	test('does not need it for a schema that was compared before', async () => {
		expect((await migrateAs(ordinary)).stdout).toMatch(/up to date/);
	});

	test('without another privilege, hears nothing of this one', async () => {
		await expect(migrateAs('usage on schema public')).rejects.toMatchObject({
			stderr: expect.stringMatching(/^permission denied for table kysely_migration\n$/),
		});
	});
});
