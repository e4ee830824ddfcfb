// Generates requests that are almost all invalid: by shape, by value, and byte by byte.
import type { Credentials, RandomNumber } from './lab.ts';

export interface FuzzRequest {
	bytes: Buffer;
	/** Whether the service can tell where the request ends. */
	framed: boolean;
	head: boolean;
}

/** Makes the function that returns the next request. */
export function requestMaker(random: RandomNumber, credentials: Credentials) {
	const below = (most: number) => Math.floor(random() * most);
	const one = <Value>(values: readonly Value[]): Value => values[below(values.length)] as Value; // no list is empty
	const chance = (share: number) => random() < share;
	const bytes = (most: number) =>
		Buffer.from(Array.from({ length: below(most) }, () => below(256)));
	const text = () => one([bytes(40).toString('latin1'), bytes(40).toString(), ...oddTexts]);
	const hex = (length: number) => Array.from({ length }, () => below(16).toString(16)).join('');

	const segment = () =>
		one([
			hex(24),
			`key_${hex(24)}`,
			`lse_${hex(24)}`,
			`brd_${hex(8)}`,
			encodeURIComponent(text().toWellFormed()),
			...oddSegments,
		]);
	const path = () => {
		const chosen = one(paths).replaceAll('*', segment);
		if (chance(0.1)) return `${chosen}/${segment()}`;
		return chance(0.03)
			? `/${bytes(30)
					.toString('latin1')
					.replace(/[\r\n ]/g, '')}`
			: chosen;
	};
	const pair = () => {
		const value = one([text, segment, () => String(below(1e6) - 5e5)])();
		return `${one(queryNames)}=${chance(0.8) ? encodeURIComponent(value.toWellFormed()) : value.replace(/[\s#]/g, '')}`;
	};
	const query = () =>
		chance(0.4) ? `?${Array.from({ length: 1 + below(3) }, pair).join('&')}` : '';

	const value = (depth = 0): unknown =>
		one<() => unknown>([
			text,
			() => below(1e9) - 5e8,
			() => random() * 1e300,
			() => null,
			() => chance(0.5),
			() => (depth > 3 ? [] : Array.from({ length: below(4) }, () => value(depth + 1))),
			() => (depth > 3 ? {} : fields(depth + 1)),
			() => one(plausible),
		])();
	const fields = (depth = 0): Record<string, unknown> =>
		Object.fromEntries(
			Array.from({ length: below(5) }, () => [
				chance(0.9) ? one(fieldNames) : text(),
				value(depth),
			]),
		);
	const body = () =>
		one<() => string | Buffer>([
			() => JSON.stringify(fields()),
			() => JSON.stringify(fields()),
			() => JSON.stringify(value()),
			() => bytes(200),
			() =>
				new URLSearchParams({ [one(fieldNames)]: text(), [one(fieldNames)]: text() }).toString(),
			() => one(oddBodies),
			() => '['.repeat(below(30_000)),
			() => Buffer.alloc(below(100_000), 32),
		])();

	const authorization = () => {
		const share = random();
		if (share < 0.45) return `Bearer ${credentials.apiKey}`;
		if (share < 0.6) return `Bearer ${credentials.freeApiKey}`;
		if (share < 0.7) return undefined;
		return one([
			`Bearer key_${hex(48)}`,
			`Bearer agt_${hex(48)}`,
			`Basic ${hex(8)}`,
			oneLine(text()),
		]);
	};
	const header = () => {
		const name = one(headerNames);
		return `${name}: ${oneLine(one([text, segment, () => one(headerValues)])())}`;
	};

	const framed = (): FuzzRequest => {
		const method = one(methods);
		const content = Buffer.from(['GET', 'HEAD'].includes(method) && chance(0.9) ? '' : body());
		const given = authorization();
		const chunked = content.length > 0 && chance(0.1);
		const head = [
			`${method} ${path()}${query()} HTTP/1.1`,
			`Host: ${chance(0.97) ? 'localhost' : oneLine(text())}`,
			...(given ? [`Authorization: ${given}`] : []),
			...(chance(0.7) ? [`Content-Type: ${one(contentTypes)}`] : []),
			...Array.from({ length: chance(0.3) ? below(4) : 0 }, header),
			'Connection: close',
			chunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${content.length}`,
			'',
			'',
		].join('\r\n');
		const sent = chunked
			? Buffer.concat([
					Buffer.from(`${content.length.toString(16)}\r\n`),
					content,
					Buffer.from('\r\n0\r\n\r\n'),
				])
			: content;
		return {
			bytes: Buffer.concat([Buffer.from(head, 'latin1'), sent]),
			framed: true,
			head: method === 'HEAD',
		};
	};

	/** A request with some of its bytes changed, removed, repeated or cut off. */
	const damaged = (): FuzzRequest => {
		let { bytes: whole } = framed();
		for (let count = 1 + below(4); count > 0; count -= 1) {
			const at = below(whole.length);
			const parts = one<() => Buffer[]>([
				() => [whole.subarray(0, at), bytes(5), whole.subarray(at + 1)],
				() => [whole.subarray(0, at), whole.subarray(at + below(50))],
				() => [whole.subarray(0, at), whole.subarray(Math.max(0, at - 30))],
				() => [whole.subarray(0, at)],
				() => [whole, whole.subarray(0, at)],
			])();
			whole = Buffer.concat(parts);
		}
		return { bytes: whole, framed: false, head: false };
	};

	const noise = (): FuzzRequest => ({ bytes: bytes(300), framed: false, head: false });

	return () => {
		const share = random();
		if (share < 0.9) return framed();
		return share < 0.985 ? damaged() : noise();
	};
}

/** Header values cannot hold line ends. */
function oneLine(text: string) {
	return text.replace(/[\r\n\0]/g, '');
}

const methods = words(`GET GET GET POST POST PUT PATCH DELETE HEAD OPTIONS`);
const paths = words(`
	/ /v1/boards /v1/boards/* /v1/auth/keys /v1/auth/keys/* /v1/admin/base-images
	/v1/admin/base-images/* /v1/admin/boards /v1/admin/boards/* /v1/admin/boards/*/maintenance
	/v1/admin/leases /v1/admin/leases/* /v1/leases /v1/leases/* /v1/leases/*/renew
	/v1/leases/*/actions /v1/leases/*/files /v1/leases/*/console /v1/leases/*/console/input
	/v1/agent/work /v1/agent/actions/* /v1/agent/console/* /v1/agent/files/* /boards /boards/*
	/keys /keys/revoke /credits /credits/top-up /leases /leases/* /admin/accounts
	/admin/accounts/* /admin/boards /docs /login /password/* /assets/* /openapi.json /healthz
	/readyz /*
`);
const fieldNames = words(`
	label scope expires_at board_type board_id minutes name action url position flash_offset
	enabled tags data fence status __proto__ email constructor
`);
const queryNames = words(`
	limit cursor board_type status tag include_revoked q sort page created dry_run next
	__proto__
`);
const headerNames = words(`
	X-Request-Id Idempotency-Key Cookie Origin Accept If-None-Match X-Forwarded-For Range Expect
	X-Odd Content-Encoding Referer Upgrade Sec-Fetch-Site
`);
const oddSegments = words(`
	%00 %ff .. . %2e%2e%2f % __proto__ constructor
`);
const plausible = words(`
	esp32-s3 flash erase available full 0x0 https://example.com/a.bin 2027-01-31T00:00:00Z
`);
const oddTexts = [
	'',
	'\0',
	'__proto__',
	"' or 1=1 --",
	'<script>alert(1)</script>',
	'\u202egnp',
	'\ud800',
	'=1+1',
	'#{7*7}',
	'9'.repeat(400),
] as const;
const headerValues = [
	'text/html',
	'application/problem+json',
	'board_access.session_token=a.b',
	'board_access.session_token=%ff%00',
	'bytes=0-',
	'http://localhost',
	'null',
	'gzip',
	'100-continue',
	'same-origin',
	'h2c',
] as const;
const contentTypes = [
	'application/json',
	'application/json',
	'application/x-www-form-urlencoded',
	'application/octet-stream',
	'multipart/form-data; boundary=x',
	'text/plain',
	'application/json; charset=utf-16',
	';',
] as const;
const oddBodies = [
	'',
	'[]',
	'null',
	'{"label":"\\u0000"}',
	'{"__proto__":{"label":1}}',
	'\ufeff{}',
	'{"label":"a"',
	'{"a":1e999}',
	'"\\ud800"',
] as const;

function words(text: string): readonly string[] {
	return text.trim().split(/\s+/);
}
