// Fills the database of a site: accounts with credits and a key each, agents, boards, base images.
import type { OpenedDatabase } from './database.ts';
import { firmwareNamed } from './hardware.ts';
import type { Site } from './plan.ts';

interface Seeding {
	createAccount(db: unknown, account: object): Promise<{ id: string }>;
	issueKey(db: unknown, key: object): Promise<{ key: string }>;
	addCredits(db: unknown, entry: object): Promise<unknown>;
	importBoards(db: unknown, boards: object[]): Promise<unknown>;
	issueAgent(db: unknown, agent: object): Promise<{ token: string }>;
	storeImage(db: unknown, image: object): Promise<unknown>;
	keepDownload(db: unknown, download: object): Promise<unknown>;
}

/** The address of an account, by its number. */
export function emailOf(account: number) {
	return `user-${account}@example.com`;
}

/** Uses the service's own functions, so that the rows are as it writes them. */
export async function seedSite(
	{ database, service }: OpenedDatabase,
	site: Site,
	accounts: number,
) {
	// The script exports these functions of the service.
	const seeding = service as unknown as Seeding;
	const { query } = database;
	const keys: string[] = [];
	const accountIds: string[] = [];
	for (let index = 0; index < accounts; index++) {
		const account = {
			email: emailOf(index),
			role: site.hasOperator && index === 0 ? 'admin' : 'user',
			password: 'the password of a model',
			verified: true,
		};
		const { id } = await seeding.createAccount(query, account);
		// The last account is poor.
		const amount = index === accounts - 1 ? 9 : (site.credits ?? 100_000);
		await seeding.addCredits(query, {
			account_id: id,
			amount,
			reason: 'grant',
			reference: `grant ${index}`,
		});
		const { key } = await seeding.issueKey(query, { accountId: id, label: 'model' });
		keys.push(key);
		accountIds.push(id);
	}
	const boards = site.boards.map(({ id, type, price }) => ({
		id,
		name: id,
		board_type: type,
		credits_per_minute: price,
		status: 'available',
		description: '',
		tags: {},
	}));
	await seeding.importBoards(query, boards);
	const tokens = new Map<string, string>();
	for (const name of new Set(site.boards.flatMap(({ agent }) => agent ?? []))) {
		const boardIds = site.boards.filter(({ agent }) => agent === name).map(({ id }) => id);
		tokens.set(name, (await seeding.issueAgent(query, { name, board_ids: boardIds })).token);
	}
	for (const { type, action } of site.images) await addImage(seeding, query, { type, action });
	return { keys, accountIds, tokens };
}

async function addImage(
	seeding: Seeding,
	query: unknown,
	{ type, action }: { type: string; action: 'flash' | 'erase' },
) {
	const url = `https://images.example/${type}.hex`;
	await seeding.storeImage(query, {
		board_type: type,
		action,
		name: `base-${type}`,
		description: '',
		url: action === 'flash' ? url : '',
		flash_offset: '0x0',
		enabled: true,
	});
	if (action === 'erase') return;
	await seeding.keepDownload(query, { url, data: Buffer.from(firmwareNamed(`base-${type}`)) });
}
