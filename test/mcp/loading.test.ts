// The modules of the protocol are large, so only `board-access mcp` loads them. Needs a build.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { command, start, useBoards } from './support/agents.ts';

const { here } = useBoards();

/** Writes the address of each file that is loaded. */
const hooks = `
import { registerHooks } from 'node:module';
import { appendFileSync } from 'node:fs';
registerHooks({
	load(url, context, next) {
		appendFileSync(process.env.LOADED, url + '\\n');
		return next(url, context);
	},
});
`;
const tracing = ['--import', `data:text/javascript,${encodeURIComponent(hooks)}`];

/** The files that were loaded, and those of them that have the protocol. */
async function filesIn(list: string) {
	const urls = existsSync(list) ? (await readFile(list, 'utf8')).trim().split('\n') : [];
	const files = urls.filter((url) => url.startsWith('file:')).map((url) => fileURLToPath(url));
	const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
	return {
		files,
		ofProtocol: files.filter((_, at) => texts[at]?.includes('modelcontextprotocol')),
	};
}

async function loadedBy(argv: string[]) {
	const LOADED = join(await temporaryDirectory(), 'loaded');
	const { baseUrl, apiKey } = here();
	const env = { LOADED, SERVICE_BASE_URL: baseUrl, SERVICE_API_KEY: apiKey };
	await promisify(execFile)(process.execPath, [...tracing, ...argv], { env });
	return await filesIn(LOADED);
}

test.each(['--version', 'boards list --help', 'boards list', 'leases list', 'mcp --help'])(
	'board-access %s does not load them',
	async (line) => {
		const { files, ofProtocol } = await loadedBy([command, ...line.split(' ')]);
		expect(files.length).toBeGreaterThan(1);
		expect(ofProtocol).toEqual([]);
	},
);

test.each(['index', 'forward/index'])('the library %s does not load them', async (name) => {
	const file = new URL(`../../dist/${name}.js`, import.meta.url).href;
	const { files, ofProtocol } = await loadedBy(['--input-type=module', '-e', `import '${file}'`]);
	expect(files).toContain(fileURLToPath(file));
	expect(ofProtocol).toEqual([]);
});

test('board-access mcp loads them', async () => {
	const LOADED = join(await temporaryDirectory(), 'loaded');
	await start(here(), { env: { LOADED, NODE_OPTIONS: tracing.join('=') } });
	expect((await filesIn(LOADED)).ofProtocol).not.toEqual([]);
});
