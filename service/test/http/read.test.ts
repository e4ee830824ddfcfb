import { Context } from 'hono';
import { expect, onTestFinished, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { noQuery } from '../../../core/src/validation.ts';
import { readBytes, readQuery } from '../../src/http/read.ts';

const edge = 64 * 1024;

/** A request whose body arrives in two chunks, and how many of them were read. */
function arriving(size: number, headers: Record<string, string> = {}) {
	let pulled = 0;
	const chunks = [new Uint8Array(size - 1), new Uint8Array(1)];
	const body = new ReadableStream(
		{
			pull(controller) {
				const chunk = chunks[pulled];
				if (!chunk) return controller.close();
				pulled += 1;
				controller.enqueue(chunk);
			},
		},
		{ highWaterMark: 0 },
	);
	const init = { method: 'POST', body, headers, duplex: 'half' };
	// `duplex` is not yet in the types.
	const request = new Request('http://localhost/', init as RequestInit);
	return { request, pulled: () => pulled };
}

test('a body of 64 KiB is read, and one with another byte is rejected', async () => {
	expect(await readBytes(arriving(edge).request)).toHaveLength(edge);
	await expect(readBytes(arriving(edge + 1).request)).rejects.toMatchObject({
		code: 'body_too_large',
	});
});

test('a Content-Length of 64 KiB is read, and a far larger one is rejected without reading', async () => {
	const exact = arriving(edge, { 'content-length': String(edge) });
	expect(await readBytes(exact.request)).toHaveLength(edge);
	const larger = arriving(edge, { 'content-length': String(2 * edge + 1024 * 1024 + 1) });
	await expect(readBytes(larger.request)).rejects.toMatchObject({ code: 'body_too_large' });
	expect(larger.pulled()).toBe(0);
});

test('a body that is slightly too large is read to its end, so that the client gets the response', async () => {
	const { request, pulled } = arriving(2 * edge);
	await expect(readBytes(request)).rejects.toMatchObject({ code: 'body_too_large' });
	expect(pulled()).toBe(2);
});

test('a name that is given twice is rejected', () => {
	const c = new Context(new Request('http://localhost/?limit=1&limit=200'));
	const schema = z.strictObject({ limit: z.string() });
	expect(() => readQuery(c, schema)).toThrow('limit must be given once');
});

test('a query of very many names is read without looking up each of them', () => {
	const lookups = vi.spyOn(URLSearchParams.prototype, 'getAll');
	onTestFinished(() => lookups.mockRestore());
	const names = Array.from({ length: 4_000 }, (_, index) => `a${index}`);
	const c = new Context(new Request(`http://localhost/?${names.join('&')}`));
	expect(() => readQuery(c, noQuery)).toThrow('a49 is not a known name; and more');
	expect(lookups).not.toHaveBeenCalled();
});

test('an error lists the first fifty problems, and says that there are more', () => {
	const names = Array.from({ length: 2_000 }, (_, index) => `a${index}=`);
	const c = new Context(new Request(`http://localhost/?${names.join('&')}`));
	const rejection = expect.objectContaining({
		message: expect.stringMatching(
			/^a0 is not a known name; .*; a49 is not a known name; and more\.$/,
		),
		details: expect.objectContaining({
			errors: expect.toSatisfy((errors: unknown[]) => errors.length === 50),
		}),
	});
	expect(() => readQuery(c, noQuery)).toThrow(rejection);
});
