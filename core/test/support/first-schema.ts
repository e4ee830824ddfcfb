// A database as the first migration made it, with rows in every table, written without today's code.
import { hash } from 'node:crypto';
import { type Kysely, Migrator, sql } from 'kysely';
import { openDatabase } from '../../src/database/database.ts';
import { createSchema } from '../../src/database/migrations/0001-schema.ts';
import type { Db } from '../../src/database/schema.ts';
import { type DatabaseKind, emptyDatabase } from './databases.ts';

type Row = Record<string, string | number | Buffer | null>;
/** The rows of each table, in the order in which they can be inserted. */
type Rows = Record<string, Row[]>;

/** The location of a database that only the first migration has run on, filled with these rows. */
export async function firstDatabase(kind: DatabaseKind, rows: Rows) {
	const location = await emptyDatabase(kind);
	const { query, close } = await openDatabase(location);
	const getMigrations = async () => ({ '0001-schema': { up: createSchema } });
	const { error } = await new Migrator({
		db: query,
		provider: { getMigrations },
	}).migrateToLatest();
	if (error) throw error;
	const tables = await firstTables(query);
	for (const [table, all] of Object.entries(rows)) {
		if (tables.includes(table)) await insertRows(query, table, all);
	}
	await close();
	return location;
}

export async function firstTables(query: Db) {
	const tables = await query.introspection.getTables();
	return tables.map(({ name }) => name).filter((name) => !name.startsWith('kysely'));
}

/** The tables of then have columns that those of today need not have. */
export async function insertRows(query: Db, table: string, rows: readonly Row[]) {
	const untyped = query as unknown as Kysely<Record<string, Row>>;
	for (const row of rows) await untyped.insertInto(table).values(row).execute();
}

/** All rows of a table, in an order that does not depend on how they are stored. */
export async function readRows(query: Db, table: string) {
	const { rows } = await sql<Row>`select * from ${sql.table(table)}`.execute(query);
	return rows
		.map((row) => ({ row, text: JSON.stringify(Object.entries(row).sort()) }))
		.sort((one, other) => (one.text < other.text ? -1 : 1))
		.map(({ row }) => row);
}

/** Credentials of the holder, unless the names say otherwise. */
export function firstCredentials(number = 1) {
	return {
		key: `key_${digest('key', number).slice(0, 48)}`,
		waiterKey: `key_${digest('waiter', number).slice(0, 48)}`,
		session: digest('session', number).slice(0, 32),
		adminSession: digest('admin', number).slice(0, 32),
		agentToken: `agt_${digest('agent', number).slice(0, 48)}`,
	};
}

/** Of `a long sentence`. */
const passwordHash =
	'$argon2id$v=19$m=19456,t=2,p=1$Vs5vx6PS+jg20bCdgNtwkw$7PEv7+2hQ9H/u3dJoAM9YJnDKHxb2JhD6uHYgI4NA4A';

export const firstConsole = 'printed before the upgrade\r\n';
export const renewalKey = 'renewed before the upgrade';

/** What is of this time: a lease that is active for two and a half minutes, and another that waits for its board. */
export function firstRows(number = 1) {
	const { key, waiterKey, session, adminSession, agentToken } = firstCredentials(number);
	const id = (prefix: string, name = prefix) => `${prefix}_${digest(name, number).slice(0, 24)}`;
	const start = Date.now();
	const at = (minutes: number) => new Date(start + minutes * 60_000).toISOString();
	const created_at = at(-60);
	const ids = {
		holder: id('acc', 'holder'),
		waiter: id('acc', 'waiter'),
		admin: id('acc', 'admin'),
		board: id('brd'),
		agent: `agt_${digest(agentToken).slice(0, 24)}`,
		live: id('lse', 'live'),
		queued: id('lse', 'queued'),
		past: id('lse', 'past'),
		file: id('fil'),
		image: id('img'),
	};
	const { holder, waiter, admin, board, agent, live, queued, past, file, image } = ids;
	const emailOf = (name: string) => `${name}-${number}@example.com`;
	const account = (name: string, more: Row) => ({
		id: id('acc', name),
		email: emailOf(name),
		role: 'user',
		created_at,
		verified_at: created_at,
		...more,
	});
	const sessionOf = (account_id: string, token: string) => ({
		id: id('ses', token),
		account_id,
		token_hash: digest(token),
		ip_address: '127.0.0.1',
		user_agent: 'Firefox',
		expires_at: at(600),
		created_at,
		last_used_at: at(-1),
		confirmed_at: at(-1),
	});
	const keyOf = (account_id: string, secret: string) => ({
		id: `key_${digest(secret).slice(0, 24)}`,
		account_id,
		hash: digest(secret),
		hint: `${secret.slice(0, 8)}…${secret.slice(-4)}`,
		label: 'laptop',
		created_at,
	});
	const entry = (account_id: string, amount: number, reference: string) => ({
		id: id('crd', reference),
		account_id,
		amount,
		reason: reference.startsWith('lease') ? 'lease' : 'grant',
		reference,
		created_at,
	});
	const lease = {
		account_id: holder,
		board_type: `uno-${number}`,
		minutes: 10,
		credits_per_minute: 2,
		most_credits_per_minute: 2,
		held_credits: 20,
		created_at: at(-3),
		queued_until: at(30),
	};
	const data = Buffer.from(':00000001FF\n');
	const sha256 = hash('sha256', data);
	const renewal = JSON.stringify(['POST', `/v1/leases/${live}/renew`, { minutes: 10 }]);
	const rows: Rows = {
		accounts: [
			account('holder', { balance: 100, held_credits: 20, live_leases: 1 }),
			account('waiter', { balance: 50, held_credits: 20, live_leases: 1, queued_leases: 1 }),
			account('admin', { role: 'admin', vouched: 1, two_factor_at: created_at }),
			account('deleted', { disabled_at: at(-5), deleted_at: at(-5) }),
		],
		credentials: [{ account_id: holder, password_hash: passwordHash }],
		sessions: [sessionOf(holder, session), sessionOf(admin, adminSession)],
		known_devices: [{ account_id: holder, hash: digest('device', number), last_used_at: at(-1) }],
		two_factor: [{ account_id: admin, secret: 'c2VhbGVk', last_step: 1, created_at }],
		recovery_codes: [{ account_id: admin, hash: digest('code', number) }],
		account_links: [
			{
				hash: digest('link', number),
				kind: 'invite',
				email: emailOf('new'),
				new_email: null,
				expires_at: at(60),
			},
		],
		service_secrets: [{ name: `secret ${number}`, value: 'c2VjcmV0' }],
		api_keys: [keyOf(holder, key), keyOf(waiter, waiterKey)],
		idempotency: [
			{
				account_id: holder,
				idempotency_key: renewalKey,
				request_hash: digest(renewal),
				resource_id: live,
				created_at: at(-1),
			},
		],
		credit_entries: [
			entry(holder, 120, `grant holder ${number}`),
			entry(holder, -20, `lease ${past}`),
			entry(waiter, 50, `grant waiter ${number}`),
		],
		activity: [
			{
				id: id('act'),
				created_at,
				kind: 'key.created',
				account_id: holder,
				actor_id: holder,
				via: 'session',
				details: '{"label":"laptop","hint":"key_0000…0000","scope":"full"}',
				count: 1,
				last_at: created_at,
			},
		],
		agents: [
			{
				id: agent,
				name: 'lab',
				hash: digest(agentToken),
				hint: 'agt_0000…0000',
				boot_id: `first-${number}`,
				booted_at: created_at,
				connection_id: 'before the upgrade',
				version: '0.1.0',
				host: 'lab',
				started_at: created_at,
				created_at,
				last_seen_at: at(0),
			},
		],
		boards: [
			{
				id: board,
				name: `uno ${number}`,
				board_type: lease.board_type,
				status: 'in_use',
				description: 'Arduino Uno',
				tags: '{"room":"1"}',
				created_at,
				updated_at: at(-3),
				status_since: at(-3),
				credits_per_minute: 2,
				agent_id: agent,
				capabilities: '{"actions":["flash","reset"],"console":true,"between_leases":"keep"}',
				fence: 7,
				lease_id: live,
				lease_account_id: holder,
				name_key: `uno ${number}`,
				words: ` uno ${number}`,
			},
		],
		favorite_boards: [{ account_id: holder, board_id: board }],
		saved_filters: [{ account_id: holder, name: 'mine', query: 'status=available' }],
		board_changes: [{ counter: `of then ${number}`, value: 5 }],
		base_images: [
			{
				id: image,
				action: 'flash',
				board_type: 'nano',
				name: 'Blink',
				description: 'blinks',
				url: `https://example.com/blink.hex#sha256=${sha256}`,
				flash_offset: '0x0',
				position: 1,
				enabled: 1,
				created_at,
			},
		],
		image_downloads: [{ url: `https://example.com/${number}.hex`, expires_at: at(1) }],
		leases: [
			{
				...lease,
				id: live,
				api_key_id: `key_${digest(key).slice(0, 24)}`,
				board_id: board,
				fence: 7,
				label: 'live',
				status: 'active',
				granted_at: at(-2.5),
				started_at: at(-2.5),
				charged_from: at(-2.5),
				expires_at: at(7.5),
				action_changes: 1,
				console_end: firstConsole.length,
				console_status: 'connected',
				input_end: 5,
				input_taken: 5,
			},
			{ ...lease, id: queued, account_id: waiter, label: 'queued', status: 'queued', turn: 1 },
			{
				...lease,
				id: past,
				board_id: board,
				fence: 6,
				label: 'past',
				status: 'ended',
				credits: 20,
				granted_at: at(-30),
				started_at: at(-30),
				charged_from: at(-30),
				expires_at: at(-20),
				ended_at: at(-20),
				end_reason: 'expired',
				end_message: 'The minutes of the lease are over.',
				summed: 1,
			},
		],
		lease_shares: [{ lease_id: live, email: emailOf('waiter'), access: 'look', created_at }],
		lease_actions: [
			{
				id: id('act', 'reset'),
				lease_id: live,
				position: 0,
				phase: 'use',
				action: 'reset',
				status: 'done',
				message: 'The board was reset.',
				console_offset: 0,
				created_at: at(-2),
				ended_at: at(-2),
			},
		],
		failures: [
			{
				id: id('fai'),
				created_at,
				cause: 'flash_failed',
				lease_id: past,
				board_id: board,
				agent_id: agent,
			},
		],
		hourly_use: [{ hour: 490_000 + number, measure: 'leases', value: 1 }],
		files: [
			{
				id: file,
				lease_id: live,
				owner: holder,
				size: data.length,
				sha256,
				format: 'hex',
				created_at,
			},
		],
		file_contents: [{ owner: holder, sha256, data }],
		lease_pins: [{ lease_id: live, fence: 7, sample: null, sampled_at: null }],
		console_chunks: [
			{
				lease_id: live,
				direction: 'output',
				offset: 0,
				data: Buffer.from(firstConsole),
				stored_at: start,
			},
			{
				lease_id: live,
				direction: 'input',
				offset: 0,
				data: Buffer.from('help\r'),
				stored_at: start,
			},
		],
		rate_limits: [{ key: digest('limit', number), points: 1, expire: start + 60_000 }],
	};
	return { ...ids, rows };
}

function digest(text: string, number?: number) {
	return hash('sha256', number === undefined ? text : `${text} ${number}`);
}
