// Finds the costliest requests that one account can send: every route of the OpenAPI document and every page,
// with the largest inputs, the deepest pages and the worst filters, on a service with many rows.
import { processorTime } from '../../simulation/machine.ts';
import type { Place } from '../lab.ts';
import { fillConsole, manyActions, manyBoards, manyEntries, manyKeys } from './fill.ts';
import { timed } from './others.ts';
import { type Lab, prepareTemplate, withLab } from './tenants.ts';

export interface Swept {
	request: string;
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
export const mostMilliseconds = 250;

const times = (count: number, text: (index: number) => string, between = '&') =>
	Array.from({ length: count }, (_, index) => text(index)).join(between);

const queries = [
	...['', 'limit=200', 'include_revoked=true&limit=200', 'revoked=true', 'status=available'],
	...['q=a', 'q=e+s+f+r+l', `q=${'ab+'.repeat(60)}`, 'sort=-updated_at&page=4999', 'sort=status'],
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
	...['/', '/docs', '/openapi.json', '/boards', '/boards/brd_siege_0', '/leases', '/leases/{id}'],
	...[
		'/leases/{id}/console.txt',
		'/keys',
		'/keys/new',
		'/credits',
		'/account',
		'/account/activity',
	],
	...['/account/activity/export'],
];
const forms = [
	'/login',
	'/signup',
	'/keys',
	'/keys/revoke',
	'/leases/{id}/flash',
	'/credits/top-up',
];

export async function sweep(place: Place): Promise<Swept[]> {
	const template = await prepareTemplate(place);
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
		for (const candidate of await candidatesOf(lab)) found.push(await measure(lab, candidate));
		return found;
	}).finally(() => template.remove());
	return swept.sort((one, other) => other.cost - one.cost);
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
	const all = [
		...routes.filter(([method]) => method !== 'DELETE'),
		...pages.map((path) => ['GET', path] as const),
		...forms.map((path) => ['POST', path] as const),
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
		const response = await fetch(`${service.url}${path}`, init);
		text = `${response.status}, ${(await response.text()).length} bytes`;
	};
	await once();
	const before = await processorTime(service.pid);
	// Linux counts in steps of ten milliseconds.
	const time = await timed(lab, async () => {
		for (let count = 0; count < 5; count += 1) await once();
	});
	const cost = ((await processorTime(service.pid)) - before) / 1000 / 5;
	const shown = [method, path.slice(0, 80), body?.slice(0, 20), text].filter(Boolean).join(' ');
	return { request: shown, cost, time: time / 5 };
}
