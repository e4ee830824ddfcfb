// What one account, or somebody without one, can do to the others.
import { addImages, fillConsole, manyActions, manyBoards, manyEntries, manyKeys } from './fill.ts';
import { trickyFirmware } from './firmware.ts';
import { manyLeases, waitsForDifferentLists, waitsForLease, waitsForList } from './lists.ts';
import type { Load, LoadRequest } from './load.ts';
import { silentMailServer, trickyImageServer } from './servers.ts';
import {
	flashTricky,
	leaseWithImages,
	logIn,
	storeBytes,
	uploadSmall,
	waitsOfRevokedKey,
} from './steps.ts';
import {
	act,
	commandType,
	type Lab,
	type LabOptions,
	takeBoard,
	useSpareBoard,
} from './tenants.ts';

/** What was measured or checked, and whether it is within the limit. */
export interface Found {
	text: string;
	limit: string;
	held: boolean;
}

export interface Attack extends LabOptions {
	what: string;
	/** What the attackers send all the time. */
	loads?(lab: Lab): Load[] | Promise<Load[]>;
	/** What they do besides, until the signal aborts. */
	steps?(lab: Lab, signal: AbortSignal): Promise<Found | undefined>;
	/** What others do besides, once a second, and within how many milliseconds. */
	also?: { what: string; limit: number; run(lab: Lab): Promise<unknown> };
	/** By how much the memory of the service may grow. */
	megabytes?: number;
}

type Tenant = Lab['attacker'];

const boardReads = [
	'/boards?sort=-credits_per_minute',
	'/boards?sort=status&page=4000',
	'/boards?page=4999',
	'/boards?q=rack',
	'/boards?q=location:rack-1',
	'/boards?q=camera+display',
	'/boards?q=esp32+firmware-3+s',
	'/boards?q=SN{number}',
	'/boards?status=available&sort=-name',
	'/v1/boards?tag=location:rack-7&limit=200',
	'/v1/boards?tag=nowhere:{number}',
];

const unknownFields = Buffer.from(
	JSON.stringify(Object.fromEntries(Array.from({ length: 6_000 }, (_, index) => [index, 1]))),
);
const forgedCookie = `Cookie: board_access.session_token=${'A'.repeat(32)}`;
const forgedKey = `Authorization: Bearer key_${'0'.repeat(48)}`;

export const attacks: Record<string, Attack> = {
	uploads: {
		what: 'an account uploads 16 MiB firmware that is expensive to read',
		loads: uploads,
	},
	fiveUploads: {
		what: 'five accounts upload 16 MiB firmware that is expensive to read',
		attackers: 5,
		loads: uploads,
	},
	parts: {
		what: 'an account sends firmware in a form with 258,000 parts',
		loads: (lab) => each(lab, 2, (tenant) => [formOfParts(tenant)]),
	},
	actions: {
		what: 'an account lists the actions of a lease that has 50,000',
		fill: (lab) => manyActions(lab, 50_000),
		loads: (lab) =>
			each(lab, 4, (tenant) => [get(`/v1/leases/${tenant.leaseId}/actions`, key(tenant))]),
	},
	bytes: {
		what: 'an account uploads 16 MiB files, lease after lease',
		fill: (lab) => takeBoard(lab, lab.attacker, commandType),
		steps: storeBytes,
		also: { what: 'an upload', limit: 1_000, run: uploadSmall },
	},
	descendants: {
		what: 'an account revokes a key with 100,000 descendants',
		fill: (lab) => manyKeys(lab, { count: 100_000 }),
		async steps({ ask, attacker }) {
			await ask(attacker, '/v1/auth/keys/key_100000000000000000000000?created=true', 'DELETE');
			return undefined;
		},
	},
	revoked: {
		what: 'an account lists its keys, of which it has revoked 500,000',
		fill: (lab) => manyKeys(lab, { count: 500_000, revoked: true }),
		loads: (lab) =>
			each(lab, 4, (tenant) => [
				get('/v1/auth/keys?limit=200&include_revoked=true', key(tenant)),
				get('/keys?revoked=true', cookie(tenant)),
			]),
	},
	pages: {
		what: 'an account views a lease with 1 MiB of console',
		fill: fillConsole,
		loads: (lab) =>
			each(lab, 4, ({ leaseId, ...tenant }) => [
				get(`/leases/${leaseId}`, cookie(tenant)),
				get(`/leases/${leaseId}/console.txt`, cookie(tenant)),
			]),
	},
	streams: {
		what: 'an account opens 200 streams of 1 MiB of console, and reads none',
		fill: fillConsole,
		loads: (lab) =>
			each(lab, 200, ({ leaseId, ...tenant }) => [
				get(`/v1/leases/${leaseId}/console`, key(tenant)),
				get(`/leases/${leaseId}/events?from=0`, cookie(tenant)),
			]).map((load) => ({ ...load, unread: 1 })),
		megabytes: 100,
	},
	waits: {
		what: 'an account waits 100 times for a change of its lease, and revokes the key',
		steps: waitsOfRevokedKey,
	},
	listTags: {
		what: 'an account waits 120 times for its leases, with 500 tags each',
		fill: manyLeases,
		loads: (lab) => waitsForList(lab, { waits: 120, tags: 500 }),
	},
	lists: {
		what: 'an account waits 120 times for its leases, with one tag',
		fill: manyLeases,
		loads: (lab) => waitsForList(lab, { waits: 120, tags: 1, limit: 200 }),
	},
	fewLists: {
		what: 'an account waits 10 times for its leases, with 500 tags each',
		fill: manyLeases,
		loads: (lab) => waitsForList(lab, { waits: 10, tags: 500 }),
	},
	differentLists: {
		what: 'an account waits for 110 lists of its leases, with 10 tags each, and changes a lease all the time',
		fill: manyLeases,
		loads: waitsForDifferentLists,
	},
	leaseWaits: {
		what: 'an account waits 110 times for the status of a lease, and renews it all the time',
		loads: waitsForLease,
	},
	agent: {
		what: 'an account flashes firmware that is expensive to read, by the same agent',
		// The second one does no harm: a reset of the victim's board would lose what is typed.
		attackers: 2,
		steps: flashTricky,
		also: {
			what: 'a reset',
			limit: 1_000,
			run: (lab) => act(lab, lab.attackers[1] ?? lab.victim, { action: 'reset' }),
		},
	},
	images: {
		what: 'five accounts lease boards whose base images come slowly, never end, or redirect for ever',
		attackers: 5,
		servers: trickyImageServer,
		fill: addImages,
		steps: leaseWithImages,
		also: { what: 'a lease', limit: 1_000, run: useSpareBoard },
		megabytes: 300,
	},
	boards: {
		what: '100,000 boards: an account sorts, searches and pages',
		fill: ({ database }) => manyBoards(database),
		loads: (lab) =>
			each(lab, 20, (tenant) =>
				boardReads.map((path) => get(path, path.startsWith('/v1') ? key(tenant) : cookie(tenant))),
			),
	},
	exports: {
		what: 'an account downloads its activity of 50,000 entries',
		fill: (lab) => manyEntries(lab, 50_000),
		loads: (lab) => each(lab, 20, (tenant) => [get('/account/activity/export', cookie(tenant))]),
	},
	problems: {
		what: 'an account sends bodies with 6,000 unknown fields',
		loads: (lab) =>
			each(lab, 20, (tenant) => [
				post('/v1/leases', unknownFields, 'application/json', key(tenant)),
				post('/v1/leases', unknownFields, 'application/json', cookie(tenant)),
			]),
	},
	logins: {
		...flood(
			'log in with wrong passwords',
			form('/login', 'email={number}@example.com&password=not+it'),
		),
		also: { what: 'a valid log-in', limit: 10_000, run: logIn },
	},
	signups: flood('sign up', form('/signup', 'email={number}@example.com&password=a+long+sentence')),
	mails: {
		...flood('ask for new passwords', form('/forgot', 'email=brd_siege_1@example.com')),
		servers: silentMailServer,
	},
	cookies: flood(
		'request pages with forged cookies',
		...['/boards', '/account', '/v1/boards'].map((path) => get(path, forgedCookie)),
	),
	guesses: flood('send keys that do not exist', get('/v1/boards', forgedKey)),
	strangers: flood('request pages', ...['/', '/login', '/docs'].map((path) => get(path))),
	sockets: {
		what: '3,000 silent connections; 1,024 open files are allowed',
		openFiles: 1_024,
		loads: (lab) => [load(lab, 3_000, [])],
	},
	halves: {
		what: '1,000 connections send half a header, half a body, or headers of 64 KB',
		loads: (lab) => {
			const head = `POST /v1/leases/${lab.attacker.leaseId}/files HTTP/1.1\r\nHost: localhost\r\n${key(lab.attacker)}\r\nContent-Type: application/octet-stream\r\nContent-Length: 16777216\r\n\r\n`;
			return [
				load(lab, 500, [{ head: 'GET / HTTP/1.1\r\nHost: localhost\r\nX-Half: ' }]),
				load(lab, 450, [{ head, body: Buffer.alloc(256 * 1024, 'a') }]),
				load(lab, 50, [get('/', `X-Huge: ${'a'.repeat(64_000)}`)]),
			];
		},
		megabytes: 300,
	},
	unread: {
		what: '8 connections send 1 MB of requests, read nothing, and connect again',
		loads: (lab) => [{ ...load(lab, 8, [get('/')]), unread: 28_000 }],
		megabytes: 300,
	},
};

/** What 20 connections send, each request from an address of its own. */
function flood(what: string, ...requests: LoadRequest[]): Attack {
	const from = ({ head, ...rest }: LoadRequest) => ({
		head: head.replace('\r\n', '\r\nX-Forwarded-For: {address}\r\n'),
		...rest,
	});
	return {
		what: `20 connections ${what}, from many addresses`,
		env: { TRUST_PROXY: 'true' },
		loads: (lab) => [load(lab, 20, requests.map(from))],
	};
}

function load({ service: { url } }: Lab, connections: number, requests: LoadRequest[]): Load {
	return { url, connections, requests };
}

function each(lab: Lab, connections: number, requests: (tenant: Tenant) => LoadRequest[]) {
	return lab.attackers.map((tenant) => load(lab, connections, requests(tenant)));
}

function uploads(lab: Lab) {
	const files = trickyFirmware();
	const type = 'application/octet-stream';
	return each(lab, 2, (tenant) =>
		files.map((file) => post(`/v1/leases/${tenant.leaseId}/files`, file, type, key(tenant))),
	);
}

function formOfParts({ leaseId, ...tenant }: Tenant) {
	const part = '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n';
	const body = Buffer.from(`${part.repeat(258_000)}--b--\r\n`);
	return post(`/leases/${leaseId}/flash`, body, 'multipart/form-data; boundary=b', cookie(tenant));
}

function key({ key }: Pick<Tenant, 'key'>) {
	return `Authorization: Bearer ${key}`;
}

function cookie({ cookie }: Pick<Tenant, 'cookie'>) {
	return `Cookie: ${cookie}`;
}

function get(path: string, ...headers: string[]): LoadRequest {
	return { head: [`GET ${path} HTTP/1.1`, 'Host: localhost', ...headers, '', ''].join('\r\n') };
}

function form(path: string, fields: string): LoadRequest {
	const type = 'application/x-www-form-urlencoded';
	return { head: post(path, Buffer.from(fields), type).head, form: fields };
}

function post(path: string, body: Buffer, type: string, ...headers: string[]): LoadRequest {
	const about = [`Content-Type: ${type}`, `Content-Length: ${body.length}`, ...headers];
	const { head } = get(path, 'Sec-Fetch-Site: same-origin', ...about);
	return { head: head.replace('GET', 'POST'), body };
}
