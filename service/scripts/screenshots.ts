// Takes a screenshot of every page, from narrow to wide, in light and dark: npm run screenshots
import { mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { sampleFirmware } from 'board-access-agent/samples';
import { createTestService } from 'board-access-service/testing';
import type { BrowserContextOptions } from 'playwright-core';
import { launch } from '../test/web/support/browser.ts';
import { emulatedBoard, startEmulatedBoard } from '../test/web/support/emulated-board.ts';
import { furnishLab, keepSession } from '../test/web/support/lab.ts';
import { type Sight, sights } from '../test/web/support/sights.ts';

const wanted = process.argv[2] ?? '';
const folder = fileURLToPath(new URL('../screenshots/', import.meta.url));
await mkdir(folder, { recursive: true });

const sizes = [
	[390, 844],
	[1280, 800],
	[2560, 1440],
] as const;

/** A lease of an emulated board whose firmware has replied. */
const terminal: Sight = {
	name: 'terminal',
	role: 'free',
	open: async (page) => {
		await page.goto(`/boards/${emulatedBoard.id}`);
		await page.getByRole('button', { name: 'Use this board' }).click();
		const firmware = {
			name: 'blink.hex',
			mimeType: 'application/octet-stream',
			buffer: Buffer.from(await sampleFirmware('arduino-uno')),
		};
		const rows = page.locator('.xterm-rows');
		await rows.waitFor();
		await page.getByLabel('Firmware').setInputFiles(firmware);
		await page.getByText('blink.hex is on the board.').waitFor();
		await rows.scrollIntoViewIfNeeded();
		await rows.getByText('Hello from').waitFor();
		await page.locator('.xterm-helper-textarea').focus();
		await page.keyboard.type('help\r');
		await page.waitForTimeout(1000);
	},
};

const browser = await launch();
for (const colorScheme of ['light', 'dark'] as const) {
	for (const [width, height] of sizes) {
		await takeAll(`${width}-${colorScheme}`, { colorScheme, viewport: { width, height } });
	}
}
await browser.close();
console.log(`Written to ${folder}`);

/** Each time with a new lab, because some of what is shown changes it. */
async function takeAll(suffix: string, look: BrowserContextOptions) {
	const database = join(await mkdtemp(join(tmpdir(), 'screenshots-')), 'service.db');
	const service = await createTestService({
		database,
		baseUrl: 'https://boards.example.com',
		webUrl: 'http://localhost',
	});
	const sessions = await furnishLab(service);
	spreadOverTime(database);
	const agent = await startEmulatedBoard(service, sessions.admin);
	const baseURL = await service.listen();
	for (const { name, role, open } of [...sights, terminal]) {
		if (!name.includes(wanted)) continue;
		const context = await browser.newContext({ baseURL, ...look });
		const [cookie, value] = sessions[role].split(/=(.*)/s);
		if (cookie && value) await context.addCookies([{ name: cookie, value, url: baseURL }]);
		const page = await context.newPage();
		await open(page);
		keepSession(sessions, role, await context.cookies());
		await page.screenshot({ path: join(folder, `${name}-${suffix}.png`), fullPage: true });
		await context.close();
	}
	await agent.stop();
	await service.close();
}

/** A lab that was made this second would say "just now" everywhere. */
function spreadOverTime(database: string) {
	const file = new DatabaseSync(database);
	const columns = { boards: 'updated_at', api_keys: 'created_at', credit_entries: 'created_at' };
	for (const [table, column] of Object.entries({ ...columns, accounts: 'created_at' })) {
		for (const [index, row] of file.prepare(`select id from ${table}`).all().entries()) {
			const moment = new Date(Date.now() - (index + 1) ** 2 * 1_260_000).toISOString();
			file.prepare(`update ${table} set ${column} = ? where id = ?`).run(moment, row.id ?? null);
		}
	}
	file.exec(
		"update api_keys set last_used_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-4 minutes') where label in ('ci', 'Demo')",
	);
	file.close();
}
