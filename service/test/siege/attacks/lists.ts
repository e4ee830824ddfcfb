// Requests that wait for a change of a list of leases.
import { addKeys, insertMany } from '../database.ts';
import type { Load } from './load.ts';
import { open } from './send.ts';
import type { Lab } from './tenants.ts';

const time = '2026-01-05T08:00:00.000Z';

/** How many leases of the attacker have ended before. */
const ended = 500;

export function manyLeases({ attacker, database }: Lab) {
	const row = {
		id: `'lse_' || cast(100000000 + i as text) || '000000000000000'`,
		account_id: `'${attacker.accountId}'`,
		board_type: "'siege-uno'",
		status: "'ended'",
		minutes: '1',
		credits_per_minute: '0',
		most_credits_per_minute: '0',
		held_credits: '0',
		created_at: `'${time}'`,
		queued_until: `'${time}'`,
		ended_at: `'${time}'`,
		end_reason: "'released'",
		label: "'a lease that has ended'",
	};
	return insertMany(database, { table: 'leases', count: ended, row });
}

/** Waits on so many connections, each with the tags of this many pages of the same list. */
export async function waitsForList(
	lab: Lab,
	{ waits, tags, limit = 1 }: { waits: number; tags: number; limit?: number },
): Promise<Load[]> {
	const known = await tagsOf(lab, tags, limit);
	const path = `/v1/leases?wait=60&limit=${limit}`;
	return [loadOf(lab, waits, [headOf(lab, path, known)])];
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

/** Waits for a change of the status of a lease that is renewed all the time. */
export function waitsForLease(lab: Lab): Load[] {
	const { leaseId } = lab.attacker;
	return [
		loadOf(lab, 110, [headOf(lab, `/v1/leases/${leaseId}?wait=60&status=active`, '"none"')]),
		loadOf(lab, 2, [renewalOf(lab)]),
	];
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
