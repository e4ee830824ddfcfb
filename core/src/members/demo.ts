// The accounts of demo mode.
import { hashPassword } from '../accounts/password-hash.ts';
import { type Account, createAccount, findAccount } from '../accounts/store.ts';
import { addCredits } from '../credits/store.ts';
import type { Db } from '../database/schema.ts';
import { inTransaction } from '../database/transactions.ts';
import { issueKey } from '../keys/store.ts';

const firstGrant = 'demo ';

/** An administrator on the paid tier and an account on the free tier, each with a key. */
export async function openDemoAccounts(
	db: Db,
	{ email, freeEmail, password }: Record<'email' | 'freeEmail' | 'password', string>,
) {
	await requireDemoDatabase(db, [email, freeEmail]);
	const [admin, free] = await Promise.all([
		accountFor(db, { email, password, role: 'admin' }),
		accountFor(db, { email: freeEmail, password, role: 'user' }),
	]);
	const credits = { account_id: admin.id, amount: 1000, reason: 'grant' } as const;
	const reference = `${firstGrant}${admin.id}`;
	await inTransaction(db, (db) => addCredits(db, { ...credits, reference }));
	const { key: apiKey } = await issueKey(db, { accountId: admin.id, label: 'Demo' });
	const { key: freeApiKey } = await issueKey(db, { accountId: free.id, label: 'Demo, free tier' });
	return { apiKey, freeApiKey };
}

/**
 * The demo prints the password of an administrator, so it needs its own database, which its first grant shows. That may
 * have other accounts by now.
 */
async function requireDemoDatabase(db: Db, emails: readonly string[]) {
	const grants = db
		.selectFrom('credit_entries')
		.select('id')
		.where('reference', 'like', `${firstGrant}%`);
	const others = db.selectFrom('accounts').select('id').where('email', 'not in', emails);
	if (await grants.limit(1).executeTakeFirst()) return;
	if (!(await others.limit(1).executeTakeFirst())) return;
	throw new Error('Demo mode needs its own database, and this one already has other accounts');
}

/** On a demo database, the account exists and gets the new password. */
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
