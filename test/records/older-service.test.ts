// Records with no more than the first version of `/v1` had: fields that came later are optional.
import { type AnyLease, Listing } from 'board-access';
import { expect, it } from 'vitest';
import { createClient, otherKey } from '../support/client.ts';
import { methodsOf, validFor, validForLease } from '../support/methods.ts';

/** The fields of the specification; what a client cannot do without where it has none. */
const baseImage = {
	action: 'flash',
	board_type: 'x',
	created_at: '2026-01-01T00:00:00Z',
	description: '',
	enabled: true,
	flash_offset: '0x0',
	id: 'bim_1',
	name: 'x',
	position: 0,
	url: 'https://images.example.com/x.bin',
};
const created_at = baseImage.created_at;
const action = {
	id: 'act_1',
	action: 'reset',
	phase: 'use',
	name: null,
	status: 'done',
	message: '',
	created_at,
	ended_at: created_at,
};
const lease = {
	id: 'lse_1',
	status: 'active',
	board_id: 'brd_1',
	board_type: 'x',
	label: null,
	queue_position: null,
	minutes: 2,
	created_at,
	started_at: created_at,
	expires_at: '2099-01-01T00:00:00Z',
	ended_at: null,
	end_reason: null,
	end_message: null,
	credits: null,
};
const records: readonly [path: RegExp, record: object][] = [
	[/\/actions/, action],
	[/\/shares/, { email: 'ada@example.com', access: 'look', created_at }],
	[/\/files/, { id: 'fil_1', size: 4, sha256: '', format: 'raw' }],
	[/\/pins/, { driven: {} }],
	[/\/leases/, lease],
	[/\/base-images/, baseImage],
	[/\/keys/, { id: 'key_1', key: otherKey }],
	[/\/agents/, { id: 'agt_1', token: `agt_${'0'.repeat(48)}` }],
	[/./, { id: 'x_1' }],
];

async function fetch(url: string, { method }: { method: string }) {
	const { pathname } = new URL(url);
	const record = records.find(([path]) => path.test(pathname))?.[1];
	const ended = { ...record, status: 'ended', end_reason: 'released' };
	if (method === 'DELETE' && /lse_1$/.test(pathname)) return Response.json(ended);
	if (method === 'PUT' && pathname.endsWith('/base-images'))
		return Response.json({ added: [baseImage], changed: [], removed: [], unchanged: 0 });
	const isList = method === 'GET' && /(s|activity)$/.test(pathname);
	return Response.json(isList ? { data: [record] } : record);
}

const client = createClient({ fetch, maxRetries: 0 });

/** What a method returns; of a watch, the first change. */
async function read(returned: unknown) {
	if (returned instanceof Listing || !Object(returned)[Symbol.asyncIterator]) return await returned;
	const iterator = (returned as AsyncIterable<unknown>)[Symbol.asyncIterator]();
	const { value } = await iterator.next();
	await iterator.return?.();
	return value;
}

const nouns = { ...client, ...client.admin };
const methods = Object.entries(nouns).flatMap(([noun, methods]) =>
	[...methodsOf(methods)].map(([name, method]) => [noun, name, method] as const),
);

it.each(methods)('%s.%s reads them', async (noun, name, method) => {
	const result = await read(method(...validFor(noun, name)));
	if (/^(create|attach)$/.test(name) && noun === 'leases') await (result as AnyLease).release();
});

it('a lease is of the account itself, and fields that can be null are null', async () => {
	await using lease = await client.leases.create({ boardType: 'x' });
	expect(lease).toMatchObject({ access: 'hold', holderEmail: null, consoleGapMs: null });
	expect(await client.leases.list()).toMatchObject([{ access: 'hold', consoleStatus: null }]);
	for (const name of [
		'reset',
		'flash',
		'actions',
		'shares',
		'share',
		'drivePin',
		'renew',
		'refresh',
	])
		await methodsOf(lease).get(name)?.(...validForLease(name));
	expect(await lease.actions()).toMatchObject([{ progress: null, consoleOffset: null }]);
});
