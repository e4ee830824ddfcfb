import { startServer } from './chunk-4YRXLGYO.js';
import {
	checkCredentials,
	createAccount,
	creditBalance,
	disableAccount,
	enableAccount,
	findAccount,
	grantCredits,
	importBoards,
	isPath,
	listAccounts,
	listBoards,
	migrate,
	openDatabase,
	readAmount,
	readBoards,
	redact,
	setRole,
	settingsFrom,
	writeBoards,
} from './chunk-6JEC3QWQ.js';
import { version } from './chunk-OVX2FLYL.js';
import './chunk-VPZLPGDZ.js';

// src/commands/account.ts
import { randomBytes } from 'node:crypto';
// src/commands/with-database.ts
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
// src/commands/program.ts
import { Command } from 'commander';

function databaseOption(command) {
	return command.option(
		'--database <file|url>',
		'SQLite file or postgres:// address (DATABASE_URL)',
	);
}
async function withDatabase({ database: named, create: create2 = false }, work) {
	const settings = settingsFrom(process.env, { options: { DATABASE_URL: named } });
	if (!create2) requireFile(settings.database);
	const database = await openDatabase(settings.database);
	try {
		const migrations = await migrate(database.query);
		await work(database, migrations);
	} finally {
		await database.close();
	}
}
function requireFile(location) {
	if (!isPath(location) || existsSync(location)) return;
	throw new Error(
		`There is no database at ${resolve(location)}; name yours with --database or DATABASE_URL`,
	);
}

// src/commands/account.ts
function accountCommand(program) {
	const account = program.command('account').description('create, list and change accounts');
	const add = (name, description) => databaseOption(account.command(name).description(description));
	add('create <email>', 'create an account')
		.option('--admin', 'make it an administrator')
		.option('--password-stdin', 'read the password from standard input instead of making one up')
		.action(create);
	add('list', 'show all accounts').action(list);
	add('promote <email>', 'make an account an administrator').action(
		changeTo('an administrator', (db, id) => setRole(db, id, 'admin')),
	);
	add('demote <email>', 'make an administrator a user again').action(
		changeTo('a user', (db, id) => setRole(db, id, 'user')),
	);
	add('disable <email>', 'stop an account, its keys and its sessions').action(
		changeTo('disabled', disableAccount),
	);
	add('enable <email>', 'let a disabled account in again').action(
		changeTo('enabled', enableAccount),
	);
	add('credit <email> <amount>', 'grant credits; the first lift the account to the paid tier')
		.option('--reference <text>', 'names the grant; the same one is booked once')
		.action(credit);
}
async function create(email, options) {
	const given = options.passwordStdin ? (await text(process.stdin)).replace(/\r?\n$/, '') : void 0;
	const password = given ?? randomBytes(12).toString('base64url');
	checkCredentials({ email, password });
	await withDatabase({ ...options, create: true }, async ({ query }) => {
		await createAccount(query, { email, password, role: options.admin ? 'admin' : 'user' });
		console.log(given ? `Created ${email}.` : `Created ${email} with password ${password}`);
	});
}
function list(options) {
	return withDatabase(options, async ({ query }) => {
		const accounts = await listAccounts(query);
		if (accounts.length === 0) return console.error('There is no account.');
		console.log([heading, ...accounts.map(lineOf)].join('\n'));
	});
}
var heading = 'ROLE   TIER  CREATED                   DISABLED                  EMAIL';
function lineOf({ email, role, paid, created_at, disabled_at }) {
	const tier = paid ? 'paid' : 'free';
	return [role.padEnd(5), tier, created_at, (disabled_at ?? '-').padEnd(24), email].join('  ');
}
function changeTo(words, work) {
	return (email, options) =>
		withAccount(email, options, async (db, id) => {
			await work(db, id);
			console.log(`${email} is ${words}.`);
		});
}
function credit(email, amount, options) {
	return withAccount(email, options, async (db, account_id) => {
		const grant = { account_id, amount: readAmount(amount), name: options.reference };
		const added = await grantCredits(db, grant);
		if (!added) console.log(`${options.reference} was booked already; nothing is added.`);
		console.log(`${email} has ${await creditBalance(db, account_id)} credits.`);
	});
}
function withAccount(email, options, work) {
	return withDatabase(options, async ({ query }) => {
		const account = await findAccount(query, email);
		if (!account) throw new Error(`There is no account with the address ${email}`);
		await work(query, account.id);
	});
}

// src/commands/boards.ts
import { readFile } from 'node:fs/promises';
import { Option } from 'commander';

// src/commands/printable.ts
function printable(text2) {
	return text2.replace(/(?!\n)[\p{Cc}\p{Bidi_Control}]/gu, ' ');
}

// src/commands/boards.ts
function boardsCommand(program) {
	const boards = program.command('boards').description('import and export boards');
	databaseOption(
		boards
			.command('import <file>')
			.description('add or change boards from a .json or .csv file; all of them or none'),
	).action(importFile);
	databaseOption(boards.command('export').description('write all boards to standard output'))
		.addOption(
			new Option('--format <format>', 'json or csv').choices(['json', 'csv']).default('json'),
		)
		.action(exportAll);
}
async function importFile(file, options) {
	const format = file.toLowerCase().endsWith('.csv') ? 'csv' : 'json';
	const boards = readBoards(await readTextFile(file), format);
	await withDatabase({ ...options, create: true }, async ({ query }) => {
		const { added, changed } = await importBoards(query, boards);
		const all = boards.length === 1 ? '1 board' : `${boards.length} boards`;
		console.log(`${all} imported: ${added} added, ${changed} changed.`);
	});
}
var reasons = {
	ENOENT: 'it does not exist',
	EACCES: 'you may not read it',
	EISDIR: 'it is a directory',
};
function readTextFile(file) {
	return readFile(file, 'utf8').catch((error) => {
		const reason = reasons[error.code ?? ''] ?? error.message;
		throw new Error(`The file ${file} cannot be read: ${reason}`, { cause: error });
	});
}
function exportAll(options) {
	return withDatabase(options, async (database) => {
		const text2 = writeBoards(await allBoards(database), options.format);
		process.stdout.write(process.stdout.isTTY ? printable(text2) : text2);
	});
}
async function allBoards(database) {
	const boards = [];
	let after;
	do {
		const { data } = await listBoards(database, {}, { limit: 1e3, ...(after && { after }) });
		boards.push(...data);
		const last = data.at(-1);
		after = last && [last.name, last.id];
	} while (after);
	return boards;
}

// src/commands/migrate.ts
function migrateCommand(program) {
	return databaseOption(
		program.command('migrate').description('bring the schema up to date and name the steps'),
	).action((options) =>
		withDatabase({ ...options, create: true }, (_database, migrations) =>
			console.log(migrations.join('\n') || 'The schema is up to date.'),
		),
	);
}

// src/commands/start.ts
function startCommand(program) {
	return program
		.command('start')
		.description('serve the API and the web pages')
		.option('--demo', 'fill an in-memory database with samples and print credentials')
		.option('--port <number>', 'port to listen on (PORT)')
		.option('--host <address>', 'address to listen on (HOST)')
		.option('--database <file|url>', 'SQLite file or postgres:// address (DATABASE_URL)')
		.action(start);
}
async function start({ demo = false, port, host, database }) {
	const options = { PORT: port, HOST: host, DATABASE_URL: database };
	const settings = settingsFrom(process.env, { demo, options });
	const service = await startServer({ ...settings, demo, log: true });
	stopOnSignal(service);
	announce(service);
}
var mostSeconds = 10;
function stopOnSignal({ stop, parts: { log } }) {
	for (const signal of ['SIGTERM', 'SIGINT']) {
		process.once(signal, async () => {
			log.info({ signal }, 'Stopping');
			setTimeout(giveUp, mostSeconds * 1e3).unref();
			await stop();
		});
	}
}
function giveUp() {
	console.error(`Not stopped after ${mostSeconds} seconds; given up.`);
	process.exit(1);
}
function announce({ address, demo, parts: { log } }) {
	log.info({ address }, 'Listening');
	if (!demo) return;
	console.log(`
Board Access Service, demo: ${address}
  email      ${demo.email}
  password   ${demo.password}
  API key    ${demo.apiKey}
  free tier  ${demo.freeApiKey}

export SERVICE_BASE_URL=${address}
export SERVICE_API_KEY=${demo.apiKey}
`);
}

// src/commands/program.ts
async function runProgram() {
	const program = new Command('board-access-service')
		.description('the Board Access Service: boards, API keys and base images')
		.version(version);
	startCommand(program);
	migrateCommand(program);
	accountCommand(program);
	boardsCommand(program);
	try {
		await program.parseAsync();
	} catch (error) {
		console.error(printable(redact(error instanceof Error ? error.message : String(error))));
		if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
			console.error('Choose another port with --port or PORT.');
		}
		process.exitCode = 1;
	}
}

export { runProgram };
