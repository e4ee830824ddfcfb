// Samples to try the service with: boards, base images, and two accounts with a key each.
import { randomBytes } from 'node:crypto';
import { baseImageInput, importedBoard } from 'board-access-contract';
import {
	type Account,
	addCredits,
	type Core,
	createAccount,
	createBaseImage,
	type Db,
	findAccount,
	hashPassword,
	importBoards,
	inTransaction,
	issueKey,
	listBaseImages,
} from 'board-access-core';
import * as z from 'zod/mini';
import baseImages from './base-images.json' with { type: 'json' };
import boards from './boards.json' with { type: 'json' };

export interface Demo {
	/** Key of an administrator on the paid tier. */
	apiKey: string;
	/** Key of an account on the free tier, which cannot create keys. */
	freeApiKey: string;
	/** Email address of the administrator. */
	email: string;
	/** Verified address of the account on the free tier. */
	freeEmail: string;
	/** Of both accounts. */
	password: string;
}

const email = 'admin@example.com';
const freeEmail = 'free@example.com';
const firstGrant = 'demo ';

export async function seedDemo(core: Core): Promise<Demo> {
	const db = core.database.query;
	await requireDemoDatabase(db);
	const password = randomBytes(9).toString('base64url');
	const [admin, free] = await Promise.all([
		accountFor(db, { email, password, role: 'admin' }),
		accountFor(db, { email: freeEmail, password, role: 'user' }),
	]);
	const credits = { account_id: admin.id, amount: 1000, reason: 'grant' } as const;
	const reference = `${firstGrant}${admin.id}`;
	await inTransaction(db, (db) => addCredits(db, { ...credits, reference }));
	await importBoards(core, z.array(importedBoard).parse(boards));
	if ((await listBaseImages(db)).length === 0) {
		const images = z.array(baseImageInput).parse(baseImages);
		for (const image of images) await createBaseImage(core, image);
	}
	const { key: apiKey } = await issueKey(db, { accountId: admin.id, label: 'Demo' });
	const { key: freeApiKey } = await issueKey(db, { accountId: free.id, label: 'Demo, free tier' });
	return { apiKey, freeApiKey, email, freeEmail, password };
}

/**
 * The demo prints an administrator's password, so it never runs on a database that is in use. One that it
 * filled itself, which its first grant shows, may have other accounts by now.
 */
async function requireDemoDatabase(db: Db) {
	const grants = db
		.selectFrom('credit_entries')
		.select('id')
		.where('reference', 'like', `${firstGrant}%`);
	const others = db
		.selectFrom('accounts')
		.select('id')
		.where('email', 'not in', [email, freeEmail]);
	if (await grants.limit(1).executeTakeFirst()) return;
	if (!(await others.limit(1).executeTakeFirst())) return;
	throw new Error('Demo mode needs its own database, and this one already has other accounts');
}

/** When a demo database is started again, its accounts exist and get the new password. */
async function accountFor(
	db: Db,
	wanted: { email: string; password: string; role: Account['role'] },
) {
	const found = await findAccount(db, wanted.email);
	if (!found) return createAccount(db, { ...wanted, verified: true });
	await db
		.updateTable('credentials')
		.set({ password_hash: await hashPassword(wanted.password) })
		.where('account_id', '=', found.id)
		.execute();
	return found;
}
