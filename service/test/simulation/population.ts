// The accounts, each with a key, the boards, and the agents that drive them.
import { addKeys, insertMany } from '../siege/database.ts';
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

const boardsPerType = 5_000;
const leasesPerAccount = 10;

export async function populate(database: SimulationDatabase, main: string, size: Size) {
	const { location } = database;
	const admin = ['account', 'create', 'operator@example.com', '--admin', '--with-key'];
	const adminKey = await runCommand(main, location, ...admin);
	const keys = await createAccounts(database, Math.ceil(size.leases / leasesPerAccount));
	const types = Math.ceil(size.boards / boardsPerType);
	const boardTypes = Array.from({ length: types }, (_, index) => `type-${index}`);
	const boards = Array.from({ length: size.boards }, (_, index) => boardAt(index, boardTypes));
	const startedAt = performance.now();
	await importBoards(main, location, boards);
	const importSeconds = (performance.now() - startedAt) / 1000;
	await using replica = await startService({ main, database: location });
	const ids = boards.map(({ id }) => id);
	const each = Math.ceil(ids.length / size.agents);
	const agents: Agent[] = [];
	// Each with boards of every type.
	for (let first = 0; first < ids.length; first += each) {
		agents.push(await createAgent(replica.url, adminKey, ids.slice(first, first + each)));
	}
	if (database.kind === 'PostgreSQL') await database.run('vacuum analyze');
	return { keys, agents, boardTypes, importSeconds };
}

export type Population = Awaited<ReturnType<typeof populate>>;

/** Written directly to the tables, because the service would take long to hash so many passwords. */
async function createAccounts(database: SimulationDatabase, count: number) {
	const time = `'${new Date().toISOString()}'`;
	const id = "'acc_' || i";
	const [email, balance] = ["'user' || i || '@example.com'", '1000000'];
	const account = { id, email, role: "'user'", balance, created_at: time };
	const entry = { account_id: id, amount: balance, reason: "'grant'", created_at: time };
	const credits = { id: "'crd_' || i", reference: "'grant ' || i", ...entry };
	await insertMany(database, { table: 'accounts', count, row: account });
	await insertMany(database, { table: 'credit_entries', count, row: credits });
	const ids = Array.from({ length: count }, (_, index) => `acc_${index}`);
	return (await addKeys(database, ids)).map(({ key }) => key);
}

function boardAt(index: number, types: string[]) {
	const id = `brd_${1_000_000 + index}`;
	return {
		id,
		name: `Board ${id}`,
		board_type: types[index % types.length],
		credits_per_minute: 1,
		description: 'A development board with a camera on its display',
		tags: { rack: `r${index % 97}` },
	};
}

async function createAgent(url: string, adminKey: string, boards: string[]): Promise<Agent> {
	const response = await fetch(`${url}/v1/admin/agents`, {
		method: 'POST',
		headers: { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' },
		body: JSON.stringify({ name: `agent of ${boards[0]}`, board_ids: boards }),
	});
	if (response.status !== 201) throw new Error(`No agent created: ${await response.text()}`);
	const { token }: { token: string } = await response.json();
	return { token, boards };
}
