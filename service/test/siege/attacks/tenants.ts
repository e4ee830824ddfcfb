// A service with an agent, and accounts on the free tier that each have leased a board: one whom the others attack.
import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { addKeys, newDatabase, type SiegeDatabase } from '../database.ts';
import {
	emulated,
	importBoards,
	type Place,
	type RunningService,
	runCommand,
	sampleFirmware,
	startAgent,
	startService,
} from '../lab.ts';
import { send } from './send.ts';

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
	database: SiegeDatabase;
	/** The settings of the service. */
	env: Record<string, string>;
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
const commandIds = boardIds.map((id) => `${id}_command`);
/** The agent does not know how large firmware for these boards may be. */
export const commandType = 'siege-command';
/** Without an agent. */
const spareType = 'siege-spare';
export const password = 'a long sentence';

/** A database with the boards and the accounts, of which each attack gets a copy. */
export async function prepareTemplate({ main, cluster }: Place) {
	const database = await newDatabase(cluster);
	const { location } = database;
	const named = (board_type: string) => (id: string) => ({ id, name: id, board_type });
	await importBoards(main, location, [
		...boardIds.map(named('siege-uno')),
		...commandIds.map(named(commandType)),
		...['brd_spare'].map(named(spareType)),
	]);
	const words = ['agent', 'create', 'siege', '--board', ...boardIds, ...commandIds];
	const agentToken = await runCommand(main, location, ...words);
	await using service = await startService({ main, database: location });
	const tenants: Tenant[] = [];
	for (const id of boardIds) tenants.push(await signUp(service.url, database, `${id}@example.com`));
	return { ...database, agentToken, tenants };
}

export type Template = Awaited<ReturnType<typeof prepareTemplate>>;

async function signUp(url: string, database: SiegeDatabase, email: string): Promise<Tenant> {
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
	/** Starts servers that the service connects to, and returns the settings that name them. */
	servers?(): Promise<Record<string, string>>;
	openFiles?: number;
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
	{ servers, fill, attackers: count = 1, limited = true, openFiles, ...options }: LabOptions,
	work: (lab: Lab) => Promise<Result>,
) {
	await using database = await newDatabase(cluster, template.location);
	const env = { ...options.env, ...(await servers?.()) };
	const started = { main, database: database.location, limited, env };
	await using service = await startService({ ...started, ...(openFiles && { openFiles }) });
	const boards = [...boardIds.map(emulated), ...commandIds.map(byCommand)];
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
	const lab = { service, database, env, victim, attacker, attackers, ask };
	for (const tenant of [victim, ...attackers]) await takeBoard(lab, tenant);
	const { id: file_id } = await upload(lab, victim, await readFile(sampleFirmware));
	await act(lab, victim, { action: 'flash', file_id });
	await fill?.(lab);
	// The service has closed connections that were idle meanwhile.
	await wait(100);
	return await work(lab);
}

function byCommand(id: string) {
	return { id, type: commandType, driver: 'command', flash: ['true'], between_leases: 'keep' };
}

/** Leases a board with an agent, and waits until it can be used. */
export async function takeBoard(lab: Lab, tenant: Tenant, board_type = 'siege-uno') {
	const body = { board_type, minutes: 60, wait_seconds: 60 };
	const { id } = await lab.ask(tenant, '/v1/leases', 'POST', body);
	tenant.leaseId = String(id);
	let lease = await lab.ask(tenant, `/v1/leases/${id}`);
	while (lease.status === 'queued' || lease.status === 'preparing') {
		lease = await lab.ask(tenant, `/v1/leases/${id}?wait=20&status=${lease.status}`);
	}
	if (lease.status !== 'active') throw new Error(`No board: ${JSON.stringify(lease)}`);
}

/** Leases a board that has no agent, and releases it. */
export async function useSpareBoard(lab: Lab) {
	const { victim, ask } = lab;
	const { id } = await ask(victim, '/v1/leases', 'POST', { board_type: spareType });
	await ask(victim, `/v1/leases/${id}`, 'DELETE');
}

export function upload({ ask }: Lab, tenant: Tenant, firmware: Buffer, query = '') {
	return ask(tenant, `/v1/leases/${tenant.leaseId}/files${query}`, 'POST', firmware);
}

/** Has an action carried out by the agent. */
export async function act({ ask }: Lab, tenant: Tenant, body: object) {
	const path = `/v1/leases/${tenant.leaseId}/actions`;
	let action = await ask(tenant, path, 'POST', body);
	while (action.ended_at === null) action = await ask(tenant, `${path}/${action.id}?wait=30`);
	if (action.status !== 'done') throw new Error(`The action failed: ${JSON.stringify(action)}`);
}
