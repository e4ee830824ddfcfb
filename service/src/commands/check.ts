// board-access-service check: what would fail after a start.
import { existsSync } from 'node:fs';
import { access, constants } from 'node:fs/promises';
import { dirname } from 'node:path';
import { describeFinding, type Finding, redact } from 'board-access-contract';
import {
	checkImage,
	checkMailServer,
	countUnreadable,
	type Database,
	filePath,
	keptTime,
	openDatabase,
	pendingMigrations,
	requireDiskSpace,
	type Settings,
	settingsFrom,
} from 'board-access-core';
import type { Command } from 'commander';
import { sql } from 'kysely';
import { databaseOption } from './with-database.ts';

export function checkCommand(program: Command) {
	const command = program.command('check').description('find out what would fail after a start');
	databaseOption(command).option('--json', 'print the findings as JSON').action(check);
}

async function check({ database, json }: { database?: string; json?: boolean }) {
	const findings = await examine(database);
	if (json) console.log(JSON.stringify(findings, null, 2));
	else process.stdout.write(findings.map((finding) => describeFinding(finding)).join(''));
	if (findings.some(({ state }) => state === 'error')) process.exitCode = 1;
}

type Found = Omit<Finding, 'check'>;

const ok = (message: string): Found => ({ state: 'ok', message });
const warning = (message: string, hint?: string): Found => ({ state: 'warning', message, hint });

async function examine(named: string | undefined) {
	const findings: Finding[] = [];
	/** Returns the state; each line of what is thrown is an error. */
	const find: Find = async (check, work) => {
		const found = Promise.resolve().then(async () => [await work()]);
		const all = await found.catch((error): Found[] => {
			const [{ message, details }] = error instanceof AggregateError ? error.errors : [error];
			const lines = redact(message).split('\n');
			return lines.map((line) => ({ state: 'error', message: line, hint: details?.hint }));
		});
		findings.push(...all.map((one) => ({ check, ...one })));
		return all[0]?.state;
	};
	const read = async () => settingsFrom(process.env, { options: { DATABASE_URL: named } });
	const reading = read();
	await find('settings', () => reading.then(() => ok('Valid')));
	const settings = await reading.catch(() => undefined);
	if (!settings) return findings;
	const path = filePath(settings.database);
	if (path) await find('disk', () => checkDisk(path));
	if (path && !existsSync(path)) await find('database', () => warning('A start creates the file'));
	else await examineDatabase(settings, find);
	const { baseUrl: BASE_URL, webUrl: WEB_URL, replicaUrl: REPLICA_URL } = settings;
	for (const [name, url] of Object.entries({ BASE_URL, WEB_URL, REPLICA_URL })) {
		if (url && process.env[name]) await find(name, () => checkAddress(url));
	}
	await find('proxy', () => checkProxy(settings));
	await find('mail', () => checkMail(settings));
	return findings;
}

const maxImages = 100;
const maxSkew = 2_000;

type Find = (
	check: string,
	work: () => Found | Promise<Found>,
) => Promise<Finding['state'] | undefined>;

async function examineDatabase(settings: Settings, find: Find) {
	const opening = openDatabase(settings.database);
	const state = await find('database', async () => checkServer(await opening));
	const database = await opening.catch(() => undefined);
	if (!database) return;
	const { query, patient } = database;
	try {
		if (state === 'error') return;
		if ((await find('schema', () => checkSchema(patient))) !== 'ok') return;
		await find('clock', () => checkClock(database));
		await find('two-factor', async () => {
			// Rolled back, because it may make the key of the database.
			const transaction = await query.startTransaction().execute();
			const inside = { settings, database: { ...database, query: transaction } };
			const unreadable = await countUnreadable(inside).finally(() =>
				transaction.rollback().execute(),
			);
			if (unreadable === 0) return ok('TWO_FACTOR_KEY fits');
			throw new Error(
				`TWO_FACTOR_KEY does not decrypt the authenticator secrets of ${unreadable} accounts`,
			);
		});
		const images = query.selectFrom('base_images').select('url').distinct();
		for (const { url } of await images.where('enabled', '=', 1).limit(maxImages).execute()) {
			await find('image', () => checkImage(url, settings).then(() => ok(url.replace(/\?.*/, ''))));
		}
	} finally {
		await database.close();
	}
}

async function checkDisk(path: string) {
	const { R_OK, W_OK } = constants;
	for (const name of [dirname(path), path].filter(existsSync)) await access(name, R_OK | W_OK);
	await requireDiskSpace(path);
	return ok('Writable, with space left');
}

async function checkServer({ query, pool }: Database) {
	if (!pool) return ok('SQLite');
	const { rows } = await sql<{ version: string; creates: boolean }>`
		select current_setting('server_version') as version,
			has_database_privilege(current_database(), 'create') as creates`.execute(query);
	const [server] = rows;
	if (server?.creates) return ok(`PostgreSQL ${server.version}`);
	return warning(
		'The role lacks CREATE on the database',
		'A start needs it to compare the schema.',
	);
}

async function checkSchema(db: Database['patient']) {
	const pending = await pendingMigrations(db);
	if (pending.length === 0) return ok('Up to date');
	const hint = 'Back up the database first: an older version does not start on it afterwards.';
	return warning(`A start applies ${pending.join(', ')}`, hint);
}

async function checkClock({ query, pool }: Database) {
	const read = sql<{ now: number }>`
		select (extract(epoch from clock_timestamp()) * 1000)::float8 as now`;
	const wall = pool ? ((await read.execute(query)).rows[0]?.now ?? 0) : Date.now();
	const ahead = wall - Date.now();
	if (Math.abs(ahead) > maxSkew) {
		throw new Error(`The clock of the database is ${offset(ahead)} that of this machine`);
	}
	const kept = await keptTime(query);
	const step = kept ? Math.max(kept.time, kept.time + wall - kept.wall) - wall : 0;
	if (Math.abs(step) <= maxSkew) return ok('The clocks match');
	const hint = 'To take the clock as it is, see "Leases" in the guide about hosting.';
	return warning(`The time of the service is ${offset(step)} the clock`, hint);
}

const offset = (milliseconds: number) =>
	`${(Math.abs(milliseconds) / 1000).toFixed(1)} s ${milliseconds > 0 ? 'ahead of' : 'behind'}`;

/** The service need not run yet. */
async function checkAddress(url: string): Promise<Found> {
	const signal = AbortSignal.timeout(5_000);
	const response = await fetch(`${url}/healthz`, { signal }).catch(() => undefined);
	if (!response) return { state: 'unknown', message: `${url} does not respond` };
	if (response.ok) return ok(`${url} responds`);
	return warning(
		`${url} responds with ${response.status}; a Board Access Service responds with 200`,
	);
}

function checkProxy({ baseUrl, host, trustProxy }: Settings) {
	if (baseUrl.startsWith('https:') && !trustProxy) {
		const hint = 'Set TRUST_PROXY=true, or all clients share the limits of one address.';
		return warning('BASE_URL is https, so there is a proxy that is not trusted', hint);
	}
	if (!trustProxy || /^(localhost|127\.|::1)/.test(host)) return ok('TRUST_PROXY fits');
	const hint = 'Let only the proxy reach the port: others could choose their address.';
	return warning(`TRUST_PROXY is set, and the service listens on ${host}`, hint);
}

async function checkMail({ smtpUrl }: Settings) {
	if (!smtpUrl) return ok('Without SMTP_URL, no mail is sent');
	await checkMailServer(smtpUrl);
	return ok('The server accepts the log-in');
}
