// Processor time of the service for the first page of every web page, and for a log-in.
import type { Pace } from '../pace.ts';
import type { Table } from '../report.ts';
import { number, spreadOf } from '../statistics.ts';
import { type Candidate, type Loader, watch } from './measure.ts';
import { seedDemo } from './seed.ts';
import { type Server, startService } from './server.ts';

const forAnyone = ['/', '/login', '/signup', '/docs'];
const forMembers = [
	'/boards',
	'/leases',
	'/keys',
	'/keys/new',
	'/credits',
	'/account',
	'/account/activity',
	'/admin/boards',
	'/admin/boards/new',
	'/admin/base-images',
	'/admin/base-images/new',
	'/admin/agents',
	'/admin/leases',
	'/admin/accounts',
	'/admin/activity',
];

interface Visitor {
	server: Server;
	email: string;
	password: string;
	key: string;
}

export async function pages(
	pace: Pick<Pace['service'], 'pageRounds' | 'logIns'>,
	loader: Loader,
	database: string,
): Promise<Table[]> {
	const { email, password, apiKey } = await seedDemo(database);
	const server = await startService(database);
	const visitor = { server, email, password, key: apiKey };
	const { cookie } = await logIn(visitor);
	const common = { servers: [server], connections: 1 };
	const members = [...forMembers, `/boards/${await boardOf(visitor)}`, await leasePage(visitor)];
	const candidates: Candidate[] = [
		...forAnyone.map((path) => ({ name: `${path}, logged out`, path, ...common })),
		...members.map((path) => ({ name: plain(path), path, cookie, ...common })),
	];
	const seen = await watch(loader, candidates, { rounds: pace.pageRounds, seconds: 1 });
	const rows = [...seen].map(([name, looks]) => [
		name,
		number(spreadOf(looks.map(({ cpu }) => cpu)).median),
	]);
	const logIns = await timeLogIns(visitor, pace.logIns);
	await server.stop();
	return [
		{ title: 'Web pages of the demo (SQLite)', head: ['page', 'CPU, µs'], rows },
		{
			title: 'A log-in (SQLite)',
			head: ['', 'CPU, µs'],
			rows: [
				['apart from hashing the password: the thread that runs JavaScript', number(logIns.main)],
				['with it: all threads', number(logIns.all)],
			],
		},
	];
}

async function logIn({ server: { origin }, email, password }: Visitor) {
	const response = await fetch(`${origin}/login`, {
		method: 'POST',
		redirect: 'manual',
		headers: { origin },
		body: new URLSearchParams({ email, password }),
	});
	await response.arrayBuffer();
	if (response.status >= 400) throw new Error(`The log-in ended with ${response.status}`);
	const cookie = response.headers
		.getSetCookie()
		.map((line) => line.split(';')[0])
		.join('; ');
	return { cookie };
}

/** Medians of one log-in after the other. */
async function timeLogIns(visitor: Visitor, count: number) {
	const main: number[] = [];
	const all: number[] = [];
	for (let index = 0; index < count; index += 1) {
		const before = [await visitor.server.mainCpu(), await visitor.server.cpu()] as const;
		await logIn(visitor);
		main.push(((await visitor.server.mainCpu()) - before[0]) * 1e6);
		all.push(((await visitor.server.cpu()) - before[1]) * 1e6);
	}
	return { main: spreadOf(main).median, all: spreadOf(all).median };
}

async function api<Body>({ server, key }: Visitor, path: string, body?: object) {
	const response = await fetch(server.origin + path, {
		headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
		...(body && { method: 'POST', body: JSON.stringify(body) }),
	});
	if (!response.ok) throw new Error(`${path} ended with ${response.status}`);
	return (await response.json()) as Body; // as the contract says
}

async function boardOf(visitor: Visitor) {
	const { data } = await api<{ data: { id: string }[] }>(visitor, '/v1/boards?limit=1');
	return data[0]?.id ?? '';
}

/** The page of a lease, which waits for a board: no agent runs. */
async function leasePage(visitor: Visitor) {
	const { data } = await api<{ data: { board_type: string }[] }>(visitor, '/v1/boards?limit=1');
	const wanted = { board_type: data[0]?.board_type, minutes: 30 };
	const { id } = await api<{ id: string }>(visitor, '/v1/leases', wanted);
	return `/leases/${id}`;
}

function plain(path: string) {
	return path.replace(/\/\w+_\w+$/, '/:id');
}
