// The accounts, each with a key, the boards, and the agents that drive them.
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SimulationDatabase } from './databases.ts';
import { type Installation, runCommand, startReplica } from './replicas.ts';

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
	const installation = { main, location: database.location };
	const email = 'operator@example.com';
	const adminKey = await runCommand(
		installation,
		'account',
		'create',
		email,
		'--admin',
		'--with-key',
	);
	const keys = await createAccounts(database, Math.ceil(size.leases / leasesPerAccount));
	const types = Math.ceil(size.boards / boardsPerType);
	const boardTypes = Array.from({ length: types }, (_, index) => `type-${index}`);
	const ids = Array.from({ length: size.boards }, (_, index) => `brd_${1_000_000 + index}`);
	const startedAt = performance.now();
	await importBoards(installation, ids, boardTypes);
	const importSeconds = (performance.now() - startedAt) / 1000;
	const agents = await createAgents(installation, adminKey, shares(ids, size.agents));
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
				'accounts (id, email, role, created_at, updated_at)',
				keys.map((_, n) => `('acc_${n}', 'user${n}@example.com', 'user', '${time}', '${time}')`),
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

async function importBoards(installation: Installation, ids: string[], types: string[]) {
	const folder = await mkdtemp(join(tmpdir(), 'board-access-boards-'));
	const file = join(folder, 'boards.json');
	const boards = ids.map((id, index) => ({
		id,
		name: `Board ${id}`,
		board_type: types[index % types.length],
		credits_per_minute: 1,
		description: 'A development board with a camera on its display',
		tags: { rack: `r${index % 97}` },
	}));
	await writeFile(file, JSON.stringify(boards));
	await runCommand(installation, 'boards', 'import', file);
	await rm(folder, { recursive: true, force: true });
}

async function createAgents(installation: Installation, adminKey: string, groups: string[][]) {
	const replica = await startReplica(installation);
	const agents: Agent[] = [];
	for (const [index, boards] of groups.entries()) {
		const response = await fetch(`${replica.origin}/v1/admin/agents`, {
			method: 'POST',
			headers: { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' },
			body: JSON.stringify({ name: `agent ${index}`, board_ids: boards }),
		});
		if (response.status !== 201) throw new Error(`No agent created: ${await response.text()}`);
		const { token }: { token: string } = await response.json();
		agents.push({ token, boards });
	}
	await replica.stop();
	return agents;
}

/** Parts of about the same size, each with boards of every type. */
function shares(ids: string[], count: number) {
	const each = Math.ceil(ids.length / count);
	return Array.from({ length: count }, (_, index) => ids.slice(index * each, (index + 1) * each));
}
