// Finds the costliest requests that one account can send: every route of the OpenAPI document and every page,
// with the largest inputs, the deepest pages and the worst filters, on a service with many rows.

import { type Place, printProgress } from '../lab.ts';
import { processorTime } from '../machine.ts';
import { fillConsole, manyActions, manyBoards, manyEntries, manyKeys } from './fill.ts';
import { timed } from './others.ts';
import { type Lab, prepareTemplate, withLab } from './tenants.ts';

export interface Swept {
	request: string;
	route: string;
	/** Milliseconds of processor time of the service, and until the end of the response. */
	cost: number;
	time: number;
}

interface Candidate {
	method: string;
	path: string;
	body?: string;
	type?: string;
}

/** A response may take this many milliseconds. */
export const maxMilliseconds = 250;

/** What costs less is measured only once. */
const cheapMilliseconds = 20;

const times = (count: number, text: (index: number) => string, between = '&') =>
	Array.from({ length: count }, (_, index) => text(index)).join(between);

const queries = [
	...['', 'limit=200', 'include_revoked=true&limit=200', 'revoked=true', 'status=available'],
	...[
		'q=a',
		'q=e+s+f+r+l',
		`q=${'ab+'.repeat(60)}`,
		'sort=-credits_per_minute&page=4999',
		'sort=status',
	],
	times(20, (index) => `tag=${'a'.repeat(200)}${index}:x`),
	times(20, (index) => `board_type=${'a'.repeat(200)}${index}`),
	times(2_000, (index) => `${index}=`),
];
const form = 'application/x-www-form-urlencoded';
const bodies = [
	['application/json', `{${times(6_000, (index) => `"${index}":1`, ',')}}`],
	['application/json', '['.repeat(60_000)],
	['application/json', JSON.stringify({ label: `${' '.repeat(60_000)}x`, name: ' '.repeat(99) })],
	[
		'application/json',
		JSON.stringify({ expires_at: `2027-01-31T00:00:00.${'0'.repeat(60_000)}Z` }),
	],
	['application/octet-stream', 'k'.repeat(4_096)],
	[form, times(12_000, (index) => `${index}=`)],
	[form, `id=${'key_%0A'.repeat(9_000)}`],
	[form, `password=${'a1!b'.repeat(9_000)}&email=${'a'.repeat(9_000)}@example.com`],
] as const;
const pages = [
	...['/', '/docs', '/boards', '/boards/brd_siege_7', '/credits', '/credits/top-up'],
	...['/keys', '/keys/new', '/keys/revoke', '/login', '/forgot', '/password', '/verify'],
	...['/account', '/account/delete', '/account/activity', '/account/activity/export'],
	...['/leases', '/leases/{id}', '/leases/{id}/actions', '/leases/{id}/console.txt'],
];
const forms = [
	...[
		'/login',
		'/login/code',
		'/signup',
		'/forgot',
		'/password',
		'/verify',
		'/keys',
		'/keys/revoke',
	],
	...['/account/password', '/account/delete', '/account/sessions/none/end', '/credits/top-up'],
	...['/boards/brd_siege_7/use', '/leases/{id}/renew', '/leases/{id}/actions'],
	...['/leases/{id}/console', '/leases/{id}/flash'],
];

export async function sweep(place: Place): Promise<Swept[]> {
	await using template = await prepareTemplate(place);
	const fill = async (lab: Lab) => {
		await manyBoards(lab.database);
		await manyKeys(lab, { count: 100_000 });
		await manyActions(lab, 1_000);
		await manyEntries(lab, 50_000);
		await fillConsole(lab);
	};
	const env = { RATE_LIMIT_FAILED_CREDENTIALS: '1000000' };
	const options = { fill, env, limited: false };
	const swept = await withLab({ ...place, template }, options, async (lab) => {
		const found: Swept[] = [];
		const progress = printProgress('requests');
		const candidates = await candidatesOf(lab);
		for (const candidate of candidates) {
			found.push(await measure(lab, candidate));
			progress(found.length, candidates.length);
		}
		return found;
	});
	swept.sort((one, other) => other.cost - one.cost);
	// The costliest of each route come first.
	const costliest = new Map(swept.toReversed().map((each) => [each.route, each]));
	return [...new Set([...costliest.values()].reverse().concat(swept))];
}

async function candidatesOf({ service, attacker }: Lab): Promise<Candidate[]> {
	const response = await fetch(`${service.url}/openapi.json`);
	const document: { paths: Record<string, Record<string, object>> } = await response.json();
	const routes = Object.entries(document.paths)
		// Consoles never end.
		.filter(([path]) => !/admin|agent|console$/.test(path))
		.flatMap(([path, methods]) =>
			Object.keys(methods).map((method) => [method.toUpperCase(), path] as const),
		);
	// The forms come first, because the searches use up the time of the account for costly reads.
	const all = [
		...forms.map((path) => ['POST', path] as const),
		...pages.map((path) => ['GET', path] as const),
		...routes.filter(([method]) => method !== 'DELETE'),
	];
	return all.flatMap(([method, route]) => {
		const id = route.includes('/boards') ? 'brd_siege_7' : attacker.leaseId;
		const path = route.replace('{action_id}', 'act_0').replace(/\{\w*id\}/, id);
		return method === 'GET'
			? queries.map((query) => ({ method, path: `${path}?${query}` }))
			: bodies.map(([type, body]) => ({ method, path, type, body }));
	});
}

async function measure(lab: Lab, { method, path, body, type = '' }: Candidate): Promise<Swept> {
	const { service, attacker } = lab;
	const headers = {
		...(path.startsWith('/v1')
			? { authorization: `Bearer ${attacker.key}` }
			: { cookie: attacker.cookie }),
		'content-type': type,
		'sec-fetch-site': 'same-origin',
	};
	const init = { method, headers, redirect: 'manual', ...(body && { body }) } as const;
	let text = '';
	const once = async () => {
		const signal = AbortSignal.timeout(30_000);
		const response = await fetch(`${service.url}${path}`, { ...init, signal });
		text = `${response.status}, ${(await response.text()).length} bytes`;
	};
	const repeat = async (count: number) => {
		const before = await processorTime(service.pid);
		const time = await timed(lab, async () => {
			for (let index = 0; index < count; index += 1) await once();
		});
		const cost = ((await processorTime(service.pid)) - before) / 1000 / count;
		return { cost, time: time / count };
	};
	const first = await repeat(1);
	// Linux counts in steps of ten milliseconds, and the first request of its kind costs more.
	const measured = first.cost > cheapMilliseconds ? await repeat(5) : first;
	const shown = [method, path.slice(0, 80), body?.slice(0, 20), text].filter(Boolean).join(' ');
	return { request: shown, route: `${method} ${path.split('?')[0]}`, ...measured };
}
