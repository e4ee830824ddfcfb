import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@hey-api/openapi-ts';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operations } from '../../src/openapi/operations.ts';
import { type Backend, onPostgres } from '../support/backends.ts';

let backend: Backend;
beforeAll(async () => {
	backend = await onPostgres.open();
});
afterAll(() => backend.close());

const fetchDocument = async () => (await fetch(`${backend.baseUrl}/openapi.json`)).json();

test('the document describes all routes under /v1 except those for agents and channels', () => {
	const documented = operations.map(({ method, path }) => `${method} ${path}`);
	const served = backend.app.routes
		// A channel carries frames, which the document describes where one is opened.
		.filter(({ path }) => path.startsWith('/v1') && !/^\/v1\/(agent|channels)(\/|$)/.test(path))
		.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`);
	expect(documented.sort()).toEqual(served.sort());
});

test('a public linter finds no problem in the document', async () => {
	const problems = await lintFromString({
		source: JSON.stringify(await fetchDocument()),
		config: await createConfig({ extends: ['recommended'] }),
	});
	const found = problems.map(({ ruleId, message }) => `${ruleId}: ${message}`);
	// The address of a test is on this machine.
	expect(found.filter((line) => !line.startsWith('no-server-example.com'))).toEqual([]);
});

test('a client from a public generator works with the service', async () => {
	const output = await mkdtemp(join(tmpdir(), 'board-access-generated-'));
	await createClient({
		input: await fetchDocument(),
		output: { path: output },
		logs: { level: 'silent' },
	});
	// One after the other: at the same time, the second may get a client of its own, without this address.
	const { listBoards, createKey, revokeKey, createBaseImage } = await import(
		join(output, 'sdk.gen.ts')
	);
	const { client } = await import(join(output, 'client.gen.ts'));
	client.setConfig({ baseUrl: backend.baseUrl, auth: backend.apiKey });
	// As a whole, so that a failure shows the error of the response.
	const listed = await listBoards({ query: { limit: '3' } });
	expect(listed).toMatchObject({ data: { data: [{}, {}, {}] } });
	const { data: created } = await createKey({ body: { label: 'generated' } });
	expect((await revokeKey({ path: { id: created.id } })).data.revoked_at).toEqual(
		expect.any(String),
	);
	const { error } = await createBaseImage({ body: { action: 'burn' } });
	expect(error.error.code).toBe('invalid_request');
});

test('the page shows every operation and loads nothing from other hosts', async () => {
	const response = await fetch(`${backend.baseUrl}/docs`);
	const page = await response.text();
	expect(page).toMatch(/^<!doctype html><html/);
	expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'/);
	for (const { summary } of operations) expect(page).toContain(summary);
	expect(page).not.toMatch(/(src|href)="https?:/);
});
