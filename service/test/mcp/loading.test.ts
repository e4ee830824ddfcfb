// What /mcp needs is loaded by its first request, and not at all if it is off.
import { fileURLToPath } from 'node:url';
import { build, type Metafile } from 'esbuild';
import { expect, onTestFinished, test } from 'vitest';
import { inProcess } from '../support/backends.ts';
import { alias } from '../support/build.ts';
import { message, post, withKey } from './support/agents.ts';

function path(relative: string) {
	return fileURLToPath(new URL(relative, import.meta.url));
}

test.each(inProcess)('without MCP, there is no such address $name', async ({ open }) => {
	const backend = await open({ mcp: false });
	onTestFinished(() => backend.close());
	for (const headers of [withKey(backend.apiKey), {}]) {
		const { status, body } = await post(backend, message('tools/list'), { headers });
		expect({ status, code: body.error.code }).toEqual({ status: 404, code: 'not_found' });
	}
	const other = await open();
	onTestFinished(() => other.close());
	const list = await post(other, message('tools/list'), { headers: withKey(other.apiKey) });
	expect(list.status).toBe(200);
});

/** What is loaded at the start of the service, or by then and later. */
function loadedBy({ inputs }: Metafile, entry: string, { later = false } = {}) {
	const loaded = new Set<string>();
	const load = (file: string) => {
		if (loaded.has(file)) return;
		loaded.add(file);
		for (const { path, kind } of inputs[file]?.imports ?? []) {
			if (later || kind !== 'dynamic-import') load(path);
		}
	};
	load(entry);
	return [...loaded];
}

test('the service starts without the modules of the protocol', async () => {
	const { metafile } = await build({
		entryPoints: [path('../../src/main.ts')],
		absWorkingDir: path('../../..'),
		outdir: 'unused',
		write: false,
		metafile: true,
		bundle: true,
		splitting: true,
		format: 'esm',
		platform: 'node',
		packages: 'external',
		alias,
		logLevel: 'error',
	});
	const ofProtocol = (file: string) => /^src\/(mcp|ci)\/|^@modelcontextprotocol\//.test(file);
	const entry = 'service/src/server.ts';
	const started = loadedBy(metafile, entry);
	expect(started).toContain('service/src/routes/mcp.ts');
	expect(started.filter(ofProtocol)).toEqual([]);
	const used = loadedBy(metafile, entry, { later: true });
	expect(used.filter(ofProtocol)).toEqual(
		expect.arrayContaining(['@modelcontextprotocol/server', 'src/mcp/index.ts']),
	);
});
