// Generates requests that are almost all invalid: by shape, by value, and byte by byte.
import { pick, type Random } from '../../test/model/random.ts';
import type { Credentials } from '../support/service.ts';

export interface FuzzRequest {
	bytes: Buffer;
	/** Whether the service can tell where the request ends. */
	framed: boolean;
}

/** Makes the function that returns the next request. */
export function requestMaker(random: Random, { apiKey, freeApiKey }: Credentials) {
	const below = (most: number) => Math.floor(random() * most);
	const one = <Value>(values: readonly Value[]) => pick(random, values);
	const chance = (share: number) => random() < share;
	const many = <Value>(count: number, make: () => Value) => Array.from({ length: count }, make);
	const bytes = (most: number) => Buffer.from(many(below(most), () => below(256)));
	const text = () => one([bytes(40).toString('latin1'), bytes(40).toString(), ...oddTexts]);
	const hex = (length: number) => many(length, () => below(16).toString(16)).join('');
	const encoded = (value: string) => encodeURIComponent(value.toWellFormed());

	const segment = () => {
		const ids = [hex(24), `key_${hex(24)}`, `lse_${hex(24)}`, `brd_${hex(8)}`];
		return one([...ids, encoded(text()), ...oddSegments]);
	};
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
		return `${one(queryNames)}=${chance(0.8) ? encoded(value) : value.replace(/[\s#]/g, '')}`;
	};
	const query = () => (chance(0.4) ? `?${many(1 + below(3), pair).join('&')}` : '');

	const value = (depth = 0): unknown =>
		one<() => unknown>([
			text,
			() => below(1e9) - 5e8,
			() => random() * 1e300,
			() => null,
			() => chance(0.5),
			() => (depth > 3 ? [] : many(below(4), () => value(depth + 1))),
			() => (depth > 3 ? {} : fields(depth + 1)),
			() => one(plausible),
		])();
	const name = () => (chance(0.9) ? one(fieldNames) : text());
	const fields = (depth = 0): object =>
		Object.fromEntries(many(below(5), () => [name(), value(depth)]));
	const body = () =>
		one<() => string | Buffer>([
			() => JSON.stringify(fields()),
			() => JSON.stringify(fields()),
			() => JSON.stringify(value()),
			() => bytes(200),
			() => String(new URLSearchParams(many(2, () => [one(fieldNames), text()]))),
			() => one(oddBodies),
			() => '['.repeat(below(30_000)),
			() => Buffer.alloc(below(100_000), 32),
		])();

	const header = (name: string, values: (() => string)[]) =>
		`${name}: ${one(values)().replace(/[\r\n\0]/g, '')}`;
	const authorization = () => {
		const share = random();
		if (share < 0.6) return [`Authorization: Bearer ${share < 0.45 ? apiKey : freeApiKey}`];
		const unknown = ['key', 'agt'].map((prefix) => () => `Bearer ${prefix}_${hex(48)}`);
		const others = [...unknown, () => `Basic ${hex(8)}`, text];
		return share < 0.7 ? [] : [header('Authorization', others)];
	};
	const others = () =>
		many(below(4), () => header(one(headerNames), [text, segment, () => one(headerValues)]));

	const framed = (): FuzzRequest => {
		const method = one(methods);
		const content = Buffer.from(['GET', 'HEAD'].includes(method) && chance(0.9) ? '' : body());
		const chunked = content.length > 0 && chance(0.1);
		const head = [
			`${method} ${path()}${query()} HTTP/1.1`,
			chance(0.97) ? 'Host: localhost' : header('Host', [text]),
			...authorization(),
			...(chance(0.7) ? [`Content-Type: ${one(contentTypes)}`] : []),
			...(chance(0.3) ? others() : []),
			'Connection: close',
			chunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${content.length}`,
			...['', chunked ? `${content.length.toString(16)}\r\n` : ''],
		].join('\r\n');
		const end = chunked ? '\r\n0\r\n\r\n' : '';
		const parts = [Buffer.from(head, 'latin1'), content, Buffer.from(end)];
		return { bytes: Buffer.concat(parts), framed: true };
	};

	/** A request with some of its bytes changed, removed, repeated or cut off. */
	const damaged = (): FuzzRequest => {
		let { bytes: whole } = framed();
		for (let count = 1 + below(4); count > 0; count -= 1) {
			const at = below(whole.length);
			const start = whole.subarray(0, at);
			const damages: Buffer[][] = [
				[start, bytes(5), whole.subarray(at + 1)],
				[start, whole.subarray(at + below(50))],
				[start, whole.subarray(Math.max(0, at - 30))],
				[start],
				[whole, start],
			];
			whole = Buffer.concat(one(damages));
		}
		return { bytes: whole, framed: false };
	};

	return (): FuzzRequest => {
		const share = random();
		if (share < 0.9) return framed();
		return share < 0.985 ? damaged() : { bytes: bytes(300), framed: false };
	};
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
	...['', '\0', "' or 1=1 --", '\u202egnp', '\ud800', '9'.repeat(400)],
	...words('__proto__ <script>alert(1)</script> =1+1 #{7*7}'),
];
const headerValues = words(`
	text/html application/problem+json board_access.session_token=a.b
	board_access.session_token=%ff%00 bytes=0- http://localhost null gzip 100-continue same-origin h2c
`);
const contentTypes = words(`
	application/json application/json application/x-www-form-urlencoded application/octet-stream
	multipart/form-data;boundary=x text/plain application/json;charset=utf-16 ;
`);
const oddBodies = [
	...['', '\ufeff{}'],
	...words(String.raw`
		[] null {"label":"\u0000"} {"__proto__":{"label":1}} {"label":"a" {"a":1e999} "\ud800"
	`),
];

function words(text: string): readonly string[] {
	return text.trim().split(/\s+/);
}
