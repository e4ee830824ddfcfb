// The accounts, each with a key, the boards, and the agents that drive them.
import { createHash, randomBytes } from 'node:crypto';
import { importBoards, runCommand, startService } from '../siege/lab.ts';
import type { SimulationDatabase } from './databases.ts';

export interface Size {
	boards: number;
	leases: number;
	agents: number;
}

export interface Agent {
	token: string;
	boards: string[];
}

export interface Population {
	keys: string[];
	agents: Agent[];
	boardTypes: string[];
	/** How long the import of the boards took. */
	importSeconds: number;
}

const boardsPerType = 5_000;
const leasesPerAccount = 10;

export async function populate(
	database: SimulationDatabase,
	main: string,
	size: Size,
): Promise<Population> {
	const { location } = database;
	const admin = ['account', 'create', 'operator@example.com', '--admin', '--with-key'];
	const adminKey = await runCommand(main, location, ...admin);
	const keys = await createAccounts(database, Math.ceil(size.leases / leasesPerAccount));
	const types = Math.ceil(size.boards / boardsPerType);
	const boardTypes = Array.from({ length: types }, (_, index) => `type-${index}`);
	const ids = Array.from({ length: size.boards }, (_, index) => `brd_${1_000_000 + index}`);
	const startedAt = performance.now();
	await importBoards(
		main,
		location,
		ids.map((id, index) => boardAt(id, index, boardTypes)),
	);
	const importSeconds = (performance.now() - startedAt) / 1000;
	const replica = await startService({ main, database: location });
	const agents = await createAgents(replica.url, adminKey, shares(ids, size.agents));
	await replica.stop();
	if (database.kind === 'PostgreSQL') await database.run('vacuum analyze');
	return { keys, agents, boardTypes, importSeconds };
}

/** Written directly to the tables, because the service would take long to hash so many passwords. */
async function createAccounts(database: SimulationDatabase, count: number) {
	const keys = Array.from({ length: count }, () => `key_${randomBytes(24).toString('hex')}`);
	const time = new Date().toISOString();
	const insert = (table: string, rows: string[]) =>
		`insert into ${table} values ${rows.join(', ')}`;
	await database.run(
		[
			insert(
				'accounts (id, email, role, created_at)',
				keys.map((_, n) => `('acc_${n}', 'user${n}@example.com', 'user', '${time}')`),
			),
			insert(
				'credit_entries (id, account_id, amount, reason, reference, created_at)',
				keys.map((_, n) => `('crd_${n}', 'acc_${n}', 1000000, 'grant', 'grant ${n}', '${time}')`),
			),
			insert(
				'api_keys (id, account_id, hash, hint, created_at)',
				keys.map((key, n) => {
					const hash = createHash('sha256').update(key).digest('hex');
					return `('key_${n}', 'acc_${n}', '${hash}', 'key_…', '${time}')`;
				}),
			),
		].join(';\n'),
	);
	return keys;
}

function boardAt(id: string, index: number, types: string[]) {
	return {
		id,
		name: `Board ${id}`,
		board_type: types[index % types.length],
		credits_per_minute: 1,
		description: 'A development board with a camera on its display',
		tags: { rack: `r${index % 97}` },
	};
}

async function createAgents(url: string, adminKey: string, groups: string[][]) {
	const agents: Agent[] = [];
	for (const [index, boards] of groups.entries()) {
		const response = await fetch(`${url}/v1/admin/agents`, {
			method: 'POST',
			headers: { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' },
			body: JSON.stringify({ name: `agent ${index}`, board_ids: boards }),
		});
		if (response.status !== 201) throw new Error(`No agent created: ${await response.text()}`);
		const { token }: { token: string } = await response.json();
		agents.push({ token, boards });
	}
	return agents;
}

/** Parts of about the same size, each with boards of every type. */
function shares(ids: string[], count: number) {
	const each = Math.ceil(ids.length / count);
	return Array.from({ length: count }, (_, index) => ids.slice(index * each, (index + 1) * each));
}
