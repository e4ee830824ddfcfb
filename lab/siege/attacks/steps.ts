// What attackers do one step after the other, and waits that depend on what is stored.
import { setTimeout as wait } from 'node:timers/promises';
import { addKeys } from '../../support/database.ts';
import type { Load } from '../../support/load.ts';
import { open } from '../../support/send.ts';
import type { Found } from './attacks.ts';
import { type Lab, password } from './tenants.ts';

/** The waits end at the change that follows, and must not say what it is. */
export async function waitsOfRevokedKey(lab: Lab): Promise<Found> {
	const { ask, attacker, database, service } = lab;
	const [key] = await addKeys(database, [attacker.accountId]);
	if (!key) throw new Error('No key was added');
	const path = `/v1/leases/${attacker.leaseId}?wait=30&status=active`;
	const waits = Array.from({ length: 100 }, async () => {
		const response = await open({ origin: service.url, token: key.key, path });
		response.resume();
		return response.statusCode;
	});
	await wait(1_000);
	await ask(attacker, `/v1/auth/keys/${key.id}`, 'DELETE');
	await release(lab);
	// A request that comes late has an unknown key, of which the service accepts so many a minute.
	const isRejected = (status = 0) => status === 401 || status === 429;
	const rejected = (await Promise.all(waits)).filter(isRejected).length;
	return { text: `${rejected} waits rejected`, limit: 'all 100', held: rejected === 100 };
}

function release({ ask, attacker }: Lab) {
	return ask(attacker, `/v1/leases/${attacker.leaseId}`, 'DELETE');
}

/** Waits for as many different lists as the account may wait for, in ten pages each, and changes a lease meanwhile. */
export async function waitsForDifferentLists(lab: Lab): Promise<Load[]> {
	const lists = Array.from({ length: 110 }, async (_, index) => {
		const limit = 50 - (index % 37);
		const shown = `&status=active&status=ended${'&status=ended'.repeat(Math.floor(index / 37))}`;
		const known = await tagsOf(lab, 10, limit, shown);
		return headOf(lab, `/v1/leases?wait=60&limit=${limit}${shown}`, known);
	});
	return [loadOf(lab, lists.length, await Promise.all(lists)), loadOf(lab, 1, [renewalOf(lab)])];
}

function renewalOf({ attacker: { key, leaseId } }: Lab) {
	const body = Buffer.from('{"minutes":60}');
	const about = `Authorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
	const head = `POST /v1/leases/${leaseId}/renew HTTP/1.1\r\nHost: localhost\r\n${about}\r\n\r\n`;
	return { head, body };
}

/** With another key, so that the limit of the attacker's own is for the attack. */
async function tagsOf(lab: Lab, count: number, limit: number, shown = '') {
	const { attacker, database, service } = lab;
	const [added] = await addKeys(database, [attacker.accountId]);
	const tags: string[] = [];
	for (let cursor = ''; cursor !== 'null' && tags.length < count; ) {
		const path = `/v1/leases?limit=${limit}${shown}${cursor && `&cursor=${cursor}`}`;
		const response = await open({ origin: service.url, token: added?.key ?? '', path });
		let text = '';
		for await (const chunk of response) text += chunk;
		tags.push(response.headers.etag ?? '');
		cursor = String(JSON.parse(text).next_cursor);
	}
	return tags.join(', ');
}

function loadOf({ service: { url } }: Lab, connections: number, requests: Load['requests']): Load {
	return { url, connections, requests };
}

function headOf({ attacker }: Lab, path: string, tags: string) {
	const about = `Authorization: Bearer ${attacker.key}\r\nIf-None-Match: ${tags}`;
	return { head: `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${about}\r\n\r\n` };
}

/** Repeats it as a person does who is told to wait. */
export async function logIn({ service: { url }, victim: { email } }: Lab) {
	const body = new URLSearchParams({ email, password });
	const headers = { origin: url, 'x-forwarded-for': '192.0.2.1' };
	const init = { method: 'POST', redirect: 'manual', body, headers } as const;
	while ((await fetch(`${url}/login`, init)).status !== 303) await wait(500);
}
