// The API reference at /docs: its examples work as the page says.
import { sampleFirmware } from 'board-access-agent/samples';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operations } from '../../src/openapi/operations.ts';
import { createTestService, type TestService } from '../../src/testing.ts';
import { createUser } from '../support/bench.ts';
import { openPage, origin } from './support/lab.ts';

let service: TestService;
let page: string;
/** An existing identifier of each kind, by its prefix. */
let ids: Record<string, string>;
beforeAll(async () => {
	service = await createTestService({ agent: true });
	page = await (await openPage(service, '/docs')).text();
	ids = await createOneOfEach();
});
afterAll(() => service.close());

test('every example works once its identifiers are replaced with existing ones', async () => {
	const { demo } = service;
	const examples = [...page.matchAll(/<code id="(\w+)-curl">([^<]*)</g)].map(
		([, operation = '', html = '']) => {
			// Nobody leaves an own lease.
			const apiKey = operation === 'leaveLease' ? demo.freeApiKey : demo.apiKey;
			return { operation, ...parseCurl(withIds(decode(html)), apiKey) };
		},
	);
	expect(examples).toHaveLength(operations.length);
	const refused: unknown[] = [];
	// What the others use is deleted last.
	for (const example of examples.sort(deletionsLast)) {
		const { operation, url, method, headers, data } = example;
		const body = data === '@firmware.hex' ? await firmware() : data;
		const response = await service.fetch(url, { method, headers, body: body ?? null });
		if (!response.ok) refused.push([operation, response.status, await response.text()]);
		// The console would never end.
		await response.body?.cancel().catch(() => {});
	}
	expect(refused).toEqual([]);
});

test('backticks in descriptions become code', () => {
	expect(page).toContain('<p><code>board_type</code> can be repeated');
	expect(page).toContain('<dd>The <code>ETag</code> of the page');
	expect(page.match(/.{0,40}`.{0,40}/)).toBeNull();
});

const firmware = async () => Buffer.from(await sampleFirmware('arduino-uno'));

async function createOneOfEach() {
	const user = createUser(
		{ send: (path, init) => service.fetch(origin + path, init) },
		service.demo.apiKey,
	);
	const idOf = async (path: string, body: object): Promise<string> =>
		(await user.json(path, 'POST', body)).body.id;
	const lse = (await user.activeLease({ board_type: 'arduino-uno' })).id;
	await user.json(`/leases/${lse}/shares`, 'PUT', {
		email: service.demo.freeEmail,
		access: 'look',
	});
	const brd = await idOf('/admin/boards', { name: 'spare', board_type: 'spare' });
	const image = { board_type: 'spare', action: 'erase', name: 'Erase' };
	return {
		lse,
		brd,
		act: await idOf(`/leases/${lse}/actions`, { action: 'reset' }),
		fil: (await (await user.upload(lse, await firmware())).json()).id,
		agt: await idOf('/admin/agents', { name: 'spare', board_ids: [] }),
		img: await idOf('/admin/base-images', image),
		key: await idOf('/auth/keys', { label: 'spare' }),
	};
}

function withIds(command: string) {
	return command.replace(/\b([a-z]{3})_[\w-]+/g, (id, prefix) => ids[prefix] ?? id);
}

/** The request that a command of the page sends; a shell is not needed to see it. */
function parseCurl(command: string, apiKey: string) {
	const words = [...command.matchAll(/\$'([^']*)'|'([^']*)'|"([^"]*)"|([^\s\\'"]+)/g)].map(
		([, escaped, ...others]) =>
			escaped?.replaceAll('\\r', '\r') ?? others.find((word) => word !== undefined) ?? '',
	);
	const after = (option: string) =>
		words.flatMap((word, index) => (words[index - 1] === option ? [word] : []));
	const headers = after('-H').map((line) =>
		line.replace('$SERVICE_API_KEY', apiKey).split(': ', 2),
	);
	return {
		url: words.at(-1) ?? '',
		method: after('-X')[0] ?? 'GET',
		headers: Object.fromEntries(headers),
		data: after('-d')[0] ?? after('--data-binary')[0],
	};
}

function deletionsLast(one: { method: string }, other: { method: string }) {
	return Number(one.method === 'DELETE') - Number(other.method === 'DELETE');
}

function decode(html: string) {
	return html
		.replaceAll('&quot;', '"')
		.replaceAll('&#39;', "'")
		.replaceAll('&lt;', '<')
		.replaceAll('&gt;', '>')
		.replaceAll('&amp;', '&');
}
