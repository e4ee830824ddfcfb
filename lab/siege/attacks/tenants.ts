// A service with an agent, and accounts on the free tier that each have leased a board: one whom the others attack.
import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { addKeys, type LabDatabase, newDatabase } from '../../support/database.ts';
import { send } from '../../support/send.ts';
import {
	createAgent,
	emulated,
	importBoards,
	type Place,
	type RunningService,
	runCommand,
	sampleFirmware,
	startAgent,
	startService,
} from '../../support/service.ts';

export interface Tenant {
	accountId: string;
	email: string;
	key: string;
	/** Of a session on the pages. */
	cookie: string;
	leaseId: string;
}

export interface Lab {
	service: RunningService;
	database: LabDatabase;
	victim: Tenant;
	/** The first attacks alone where one is enough. */
	attacker: Tenant;
	attackers: Tenant[];
	/** Sends a request of the API, and returns the JSON of a successful response. */
	ask(tenant: Tenant, path: string, method?: 'POST' | 'DELETE', body?: object): Promise<Answer>;
}

// Identifiers and states are all that is read of a response.
type Answer = Record<'id' | 'status' | 'ended_at', string | null>;

const boardIds = Array.from({ length: 6 }, (_, index) => `brd_siege_${index}`);
export const password = 'a long sentence';

/** A database with the boards and the accounts, of which each attack gets a copy. */
export async function prepareTemplate({ main, cluster }: Place) {
	const database = await newDatabase(cluster);
	const { location } = database;
	const boards = boardIds.map((id) => ({ id, name: id, board_type: 'siege-uno' }));
	await importBoards(main, location, boards);
	const words = ['account', 'create', 'admin@example.com', '--admin', '--with-key'];
	const adminKey = await runCommand(main, location, ...words);
	await using service = await startService({ main, database: location });
	const agentToken = await createAgent(service.url, adminKey, boardIds);
	const tenants: Tenant[] = [];
	for (const id of boardIds) tenants.push(await signUp(service.url, database, `${id}@example.com`));
	return { ...database, agentToken, tenants };
}

export type Template = Awaited<ReturnType<typeof prepareTemplate>>;

async function signUp(url: string, database: LabDatabase, email: string): Promise<Tenant> {
	const body = new URLSearchParams({ email, password });
	const init = { method: 'POST', redirect: 'manual', body, headers: { origin: url } } as const;
	const response = await fetch(`${url}/signup`, init);
	const [cookie = ''] = response.headers.getSetCookie().map((each) => each.split(';')[0] ?? '');
	const [account] = await database.run(`select id from accounts where email = '${email}'`);
	const accountId = String(account?.id);
	const [added] = await addKeys(database, [accountId]);
	return { accountId, email, key: added?.key ?? '', cookie, leaseId: '' };
}

export interface LabOptions {
	/** Settings of the service. */
	env?: Record<string, string>;
	/** Whether the limits on requests are those of every service. */
	limited?: boolean;
	/** How many of the accounts attack; one by default. */
	attackers?: number;
	/** What is stored before. */
	fill?(lab: Lab): Promise<unknown>;
}

/** Opens a lab on a copy of the template, and closes it after the work. */
export async function withLab<Result>(
	{ main, cluster, template }: Place & { template: Template },
	{ fill, attackers: count = 1, limited = true, env = {} }: LabOptions,
	work: (lab: Lab) => Promise<Result>,
) {
	await using database = await newDatabase(cluster, template.location);
	await using service = await startService({ main, database: database.location, limited, env });
	const boards = boardIds.map(emulated);
	await using _agent = await startAgent(service.url, template.agentToken, boards);
	const tenants = template.tenants.map((tenant) => ({ ...tenant }));
	const [victim, attacker] = tenants;
	if (!victim || !attacker) throw new Error('The template has no accounts');
	const attackers = tenants.slice(1, 1 + count);
	const ask: Lab['ask'] = async ({ key: token }, path, method, body) =>
		JSON.parse(
			await send({
				...{ origin: service.url, token, path },
				...(method && { method }),
				...(body && { body }),
			}),
		);
	const lab = { service, database, victim, attacker, attackers, ask };
	for (const tenant of [victim, ...attackers]) await takeBoard(lab, tenant);
	const { id: file_id } = await upload(lab, victim, await readFile(sampleFirmware));
	await act(lab, victim, { action: 'flash', file_id });
	await fill?.(lab);
	// The service has closed connections that were idle meanwhile.
	await wait(100);
	return await work(lab);
}

/** Leases a board with an agent, and waits until it can be used. */
async function takeBoard(lab: Lab, tenant: Tenant) {
	const body = { board_type: 'siege-uno', minutes: 60, wait_seconds: 60 };
	const { id } = await lab.ask(tenant, '/v1/leases', 'POST', body);
	tenant.leaseId = String(id);
	let lease = await lab.ask(tenant, `/v1/leases/${id}`);
	while (lease.status === 'queued' || lease.status === 'preparing') {
		lease = await lab.ask(tenant, `/v1/leases/${id}?wait=20&status=${lease.status}`);
	}
	if (lease.status !== 'active') throw new Error(`No board: ${JSON.stringify(lease)}`);
}

function upload({ ask }: Lab, tenant: Tenant, firmware: Buffer) {
	return ask(tenant, `/v1/leases/${tenant.leaseId}/files`, 'POST', firmware);
}

/** Has an action carried out by the agent. */
async function act({ ask }: Lab, tenant: Tenant, body: object) {
	const path = `/v1/leases/${tenant.leaseId}/actions`;
	let action = await ask(tenant, path, 'POST', body);
	while (action.ended_at === null) action = await ask(tenant, `${path}/${action.id}?wait=30`);
	if (action.status !== 'done') throw new Error(`The action failed: ${JSON.stringify(action)}`);
}
