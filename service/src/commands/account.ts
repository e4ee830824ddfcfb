// board-access-service account create | list | promote | demote | credit | disable | enable
import { randomBytes } from 'node:crypto';
import { text } from 'node:stream/consumers';
import type { Command } from 'commander';
import type { Kysely } from 'kysely';
import { checkCredentials } from '../accounts/credentials.ts';
import { type AccountRecord, listAccounts } from '../accounts/search.ts';
import {
	createAccount,
	disableAccount,
	enableAccount,
	findAccount,
	setRole,
} from '../accounts/store.ts';
import { creditBalance, grantCredits, readAmount } from '../credits/store.ts';
import type { Schema } from '../database/schema.ts';
import { databaseOption, withDatabase } from './with-database.ts';

interface Options {
	database?: string;
	admin?: boolean;
	passwordStdin?: boolean;
	reference?: string;
}

export function accountCommand(program: Command) {
	const account = program.command('account').description('create, list and change accounts');
	const add = (name: string, description: string) =>
		databaseOption(account.command(name).description(description));

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

async function create(email: string, options: Options) {
	const given = options.passwordStdin
		? (await text(process.stdin)).replace(/\r?\n$/, '')
		: undefined;
	const password = given ?? randomBytes(12).toString('base64url');
	checkCredentials({ email, password });
	await withDatabase({ ...options, create: true }, async ({ query }) => {
		await createAccount(query, { email, password, role: options.admin ? 'admin' : 'user' });
		console.log(given ? `Created ${email}.` : `Created ${email} with password ${password}`);
	});
}

function list(options: Options) {
	return withDatabase(options, async ({ query }) => {
		const accounts = await listAccounts(query);
		if (accounts.length === 0) return console.error('There is no account.');
		console.log([heading, ...accounts.map(lineOf)].join('\n'));
	});
}

const heading = 'ROLE   TIER  CREATED                   DISABLED                  EMAIL';

function lineOf({ email, role, paid, created_at, disabled_at }: AccountRecord) {
	const tier = paid ? 'paid' : 'free';
	return [role.padEnd(5), tier, created_at, (disabled_at ?? '-').padEnd(24), email].join('  ');
}

function changeTo(words: string, work: (db: Kysely<Schema>, id: string) => Promise<void>) {
	return (email: string, options: Options) =>
		withAccount(email, options, async (db, id) => {
			await work(db, id);
			console.log(`${email} is ${words}.`);
		});
}

function credit(email: string, amount: string, options: Options) {
	return withAccount(email, options, async (db, account_id) => {
		const grant = { account_id, amount: readAmount(amount), name: options.reference };
		const added = await grantCredits(db, grant);
		if (!added) console.log(`${options.reference} was already booked; nothing was added.`);
		console.log(`${email} has ${await creditBalance(db, account_id)} credits.`);
	});
}

function withAccount(
	email: string,
	options: Options,
	work: (db: Kysely<Schema>, id: string) => Promise<void>,
) {
	return withDatabase(options, async ({ query }) => {
		const account = await findAccount(query, email);
		if (!account) throw new Error(`There is no account with the address ${email}`);
		await work(query, account.id);
	});
}
