// What one account, or somebody without one, can do to the others.

import type { Load, LoadRequest } from '../../support/load.ts';
import { fillConsole, manyActions, manyBoards, manyEntries, manyKeys, manyLeases } from './fill.ts';
import { logIn, waitsForDifferentLists, waitsOfRevokedKey } from './steps.ts';
import type { Lab, LabOptions } from './tenants.ts';

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
	'/boards?sort=price',
	'/boards?sort=price&status=available',
	'/boards?q=rack',
	'/boards?q=location:rack-1',
	'/boards?q=camera+display',
	'/boards?q=esp32+firmware-3+s',
	'/boards?q=SN{number}',
	'/v1/boards?tag=location:rack-7&limit=200',
	'/v1/boards?tag=nowhere:{number}',
];

const unknownFields = Buffer.from(
	JSON.stringify(Object.fromEntries(Array.from({ length: 6_000 }, (_, index) => [index, 1]))),
);
const forgedKey = `Authorization: Bearer key_${'0'.repeat(48)}`;

export const attacks: Record<string, Attack> = {
	actions: {
		what: 'an account lists the actions of a lease that has 50,000',
		fill: (lab) => manyActions(lab, 50_000),
		loads: (lab) =>
			each(lab, 4, (tenant) => [get(`/v1/leases/${tenant.leaseId}/actions`, key(tenant))]),
	},
	descendants: {
		what: 'an account revokes a key with 100,000 descendants',
		fill: (lab) => manyKeys(lab, 100_000),
		async steps({ ask, attacker }) {
			await ask(attacker, '/v1/auth/keys/key_100000000000000000000000?created=true', 'DELETE');
			return undefined;
		},
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
	differentLists: {
		what: 'an account waits for 110 lists of its leases, with 10 tags each, and changes a lease all the time',
		fill: manyLeases,
		loads: waitsForDifferentLists,
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
		what: 'an account reads its activity of 50,000 entries',
		fill: (lab) => manyEntries(lab, 50_000),
		loads: (lab) => each(lab, 20, (tenant) => [get('/account/activity', cookie(tenant))]),
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
	guesses: flood('send keys that do not exist', get('/v1/boards', forgedKey)),
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
