// The blocks of the HTTP guide as one script, with curl and an emulated board.
import { execFile } from 'node:child_process';
import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { BoardAccess } from 'board-access';
import { sampleFirmwarePath } from 'board-access-agent/samples';
import { createTestService, type TestService } from 'board-access-service/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { guideBlocks } from '../support/guide.ts';
import { isMissing } from '../support/installed.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

let service: TestService;
let env: { PATH: string | undefined; SERVICE_BASE_URL: string; SERVICE_API_KEY: string };
beforeAll(async () => {
	service = await createTestService({ agent: true });
	env = {
		PATH: process.env.PATH,
		SERVICE_BASE_URL: await service.listen(),
		SERVICE_API_KEY: service.demo.apiKey,
	};
}, 30_000);
afterAll(() => service.close());

const activeLeases = async () => {
	const client = new BoardAccess({ apiKey: service.demo.apiKey, baseUrl: env.SERVICE_BASE_URL });
	return client.leases.list({ status: 'active' });
};

const run = async (change = (script: string) => script) => {
	const directory = await temporaryDirectory();
	await cp(sampleFirmwarePath('arduino-uno'), join(directory, 'firmware.hex'));
	const blocks = await guideBlocks('sh', 'docs/guides/http.md');
	const script = change(blocks.join('\n'));
	const { stdout } = await promisify(execFile)('sh', ['-euc', script], { cwd: directory, env });
	return { stdout, console: await readFile(join(directory, 'console.log'), 'utf8') };
};

it.skipIf(isMissing('curl', 'jq'))(
	'a board is leased, flashed, used and released',
	async () => {
		const { stdout, console } = await run();
		expect(stdout).toMatch(/^brd_arduino-uno-01$/m);
		expect(stdout).toContain('"end_reason": "released"');
		expect(console).toMatch(/Hello from Arduino Uno\r\n.*PASS\r\n/s);
		expect(await activeLeases()).toEqual([]);
	},
	60_000,
);

it.skipIf(isMissing('curl', 'jq'))(
	'the trap releases the board of a script that fails',
	async () => {
		const broken = run((script) => script.replace("printf 'pass", "exit 3; printf 'pass"));
		await expect(broken).rejects.toMatchObject({ code: 3 });
		expect(await activeLeases()).toEqual([]);
	},
	60_000,
);
