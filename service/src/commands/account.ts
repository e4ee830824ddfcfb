// board-access-service account: what an operator needs without the pages, which change and delete accounts.
import { randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline/promises';
import { text } from 'node:stream/consumers';
import {
	type AccountRecord,
	type Core,
	checkCredentials,
	createAccount,
	createResetLink,
	findAccount,
	grantCredits,
	invite,
	issueKey,
	listAccounts,
	readAmount,
	revokeKey,
	setRole,
	turnOffTwoFactor,
} from 'board-access-core';
import type { Command } from 'commander';
import { written } from './output.ts';
import { databaseOption, withDatabase } from './with-database.ts';

type StoredAccount = NonNullable<Awaited<ReturnType<typeof findAccount>>>;

interface Options {
	database?: string;
	admin?: boolean;
	passwordStdin?: boolean;
	withKey?: boolean;
	json?: boolean;
	reference?: string;
	yes?: boolean;
}

export function accountCommand(program: Command) {
	const account = program
		.command('account')
		.description('create and list accounts, and let people in');
	const add = (name: string, description: string) =>
		databaseOption(account.command(name).description(description));

	add('create <email>', 'create an account')
		.option('--admin', 'make it an administrator')
		.option('--password-stdin', 'read the password from standard input instead of generating one')
		.option('--with-key', 'create a first API key and print it, which is shown only here')
		.option('--json', 'print the account and its key as JSON; needs --with-key')
		.action(create);
	add('list', 'show all accounts').action(list);
	add('invite <email>', 'print a link for creating an account').action(printInvitation);
	add('reset-link <email>', 'print a link for setting a new password').action(printResetLink);
	add('promote <email>', 'make an account an administrator')
		.option('--yes', 'do so even if the address was never verified')
		.action(promote);
	add('reset-two-factor <email>', 'turn two-factor authentication off for an account').action(
		resetTwoFactor,
	);
	add(
		'credit <email> <amount>',
		'grant credits; the first grant moves the account to the paid tier',
	)
		.option('--reference <text>', 'name of the grant; the same name is booked only once')
		.option('--yes', 'do so even if the address was never verified')
		.action(credit);
}

async function create(email: string, options: Options) {
	const { withKey = false, json = false } = options;
	if (json && !withKey) throw new Error('--json needs --with-key');
	const given = options.passwordStdin
		? (await text(process.stdin)).replace(/\r?\n$/, '')
		: undefined;
	const password = given ?? randomBytes(16).toString('base64url');
	await checkCredentials({ email, password });
	await withDatabase({ ...options, create: true }, async ({ database: { query } }) => {
		const role = options.admin ? 'admin' : 'user';
		const { id } = await createAccount(query, { email, password, role, verified: true });
		const message = given ? `Created ${email}.` : `Created ${email} with password ${password}`;
		if (!withKey) return console.log(message);
		// Standard output is for the key alone, so that a script can read it.
		if (!json) console.error(`${message}\nThe API key is shown only here:`);
		const api_key = await issueKey(query, { accountId: id, label: 'first key' });
		const account = { id, email, ...(!given && { password }), api_key };
		const text = json ? JSON.stringify(account, null, 2) : api_key.key;
		await written(`${text}\n`).catch(async (cause) => {
			// The key was never shown, so it must not stay valid.
			await revokeKey(query, { accountId: id, id: api_key.id });
			const reason = cause instanceof Error ? cause.message : cause;
			const what = `The account ${email} is created, but its key could not be written and is revoked`;
			throw new Error(`${what}: ${reason}`, { cause });
		});
	});
}

function printInvitation(email: string, options: Options) {
	return withDatabase(options, async (core) => {
		console.log(await invite(core, email));
		console.error('It works once, for seven days.');
	});
}

function printResetLink(email: string, options: Options) {
	return withAccount(email, options, async (core, account) => {
		console.log(await createResetLink(core, account));
		console.error('It works once, for an hour.');
	});
}

function list(options: Options) {
	return withDatabase(options, async ({ database: { query } }) => {
		const accounts = await listAccounts(query);
		if (accounts.length === 0) return console.error('There are no accounts.');
		console.log([heading, ...accounts.map(lineOf)].join('\n'));
	});
}

const heading = 'ROLE   TIER  CREATED                   DISABLED                  EMAIL';

function lineOf({ email, role, paid, created_at, disabled_at }: AccountRecord) {
	const tier = paid ? 'paid' : 'free';
	return [role.padEnd(5), tier, created_at, (disabled_at ?? '-').padEnd(24), email].join('  ');
}

function promote(email: string, options: Options) {
	return withAccount(email, options, async (core, account) => {
		await confirmAddress(account, options);
		await setRole(core, account.id, 'admin');
		console.log(`${email} is an administrator.`);
	});
}

function resetTwoFactor(email: string, options: Options) {
	return withAccount(email, options, async (core, { id }) => {
		await turnOffTwoFactor(core, id);
		const effect = 'the next log-in needs only the password.';
		console.log(`Two-factor authentication is off for ${email}: ${effect}`);
	});
}

function credit(email: string, amount: string, options: Options) {
	return withAccount(email, options, async (core, account) => {
		await confirmAddress(account, options);
		const grant = { account_id: account.id, amount: readAmount(amount), name: options.reference };
		const { booked, balance } = await grantCredits(core, grant);
		if (!booked) console.log(`${options.reference} was already booked; nothing was added.`);
		console.log(`${email} has ${balance} credits.`);
	});
}

function withAccount(
	email: string,
	options: Options,
	work: (core: Core, account: StoredAccount) => Promise<void>,
) {
	return withDatabase(options, async (core) => {
		const account = await findAccount(core.database.query, email);
		if (!account) throw new Error(`There is no account with the address ${email}`);
		await work(core, account);
	});
}

/** Anyone can sign up with an address that is not theirs, so an unverified one needs confirmation. */
async function confirmAddress({ email, verified_at }: StoredAccount, { yes }: Options) {
	if (verified_at || yes) return;
	const warning = `The address ${email} was never verified: the account may belong to someone else.`;
	if (!process.stdin.isTTY) throw new Error(`${warning} Add --yes to continue.`);
	const terminal = createInterface({ input: process.stdin, output: process.stderr });
	const reply = await terminal.question(`${warning}\nContinue? [y/N] `);
	terminal.close();
	if (!/^y(es)?$/i.test(reply.trim())) throw new Error('Nothing was changed.');
}
