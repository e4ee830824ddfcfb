// The runtimes: how each runs the checks, and its version.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { Miniflare } from 'miniflare';
import { chromium } from 'playwright-core';
import type { Result } from './checks.ts';
import { here } from './pack.ts';

const run = promisify(execFile);

/** The files to run. */
export interface Packed {
	script: string;
	worker: string;
	origin: string;
}

export interface Runtime {
	name: string;
	run(packed: Packed): Promise<{ version: string; results: Result[] }>;
}

function commandLine(name: string, command: string, ...argv: string[]): Runtime {
	return {
		name,
		async run({ script, origin }) {
			const { stdout: version } = await run(command, ['--version']);
			const { stdout } = await run(command, [...argv, script, origin]);
			return { version: /[\d.]+/.exec(version)?.[0] ?? '', results: JSON.parse(stdout) };
		},
	};
}

function node(major: number) {
	return commandLine(`Node ${major}`, here(`../node_modules/node-${major}/bin/node`));
}

async function versionOf(name: string) {
	return JSON.parse(await readFile(here(`../node_modules/${name}/package.json`), 'utf8')).version;
}

const workerd: Runtime = {
	name: 'workerd',
	async run({ worker, origin }) {
		const miniflare = new Miniflare({
			modules: true,
			script: worker,
			compatibilityDate: '2026-01-01',
		});
		try {
			const response = await miniflare.dispatchFetch(`http://localhost/?origin=${origin}`);
			const results = (await response.json()) as Result[]; // what the worker responds
			return { version: await versionOf('workerd'), results };
		} finally {
			await miniflare.dispose();
		}
	},
};

const browser: Runtime = {
	name: 'Chromium',
	async run({ origin }) {
		const launched = await chromium.launch({
			executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
			args: ['--no-sandbox'],
		});
		try {
			const page = await launched.newPage();
			await page.goto(`${origin}/`);
			await page.waitForFunction('globalThis.results');
			const results = await page.evaluate<Result[]>('globalThis.results');
			return { version: launched.version(), results };
		} finally {
			await launched.close();
		}
	},
};

export const runtimes: readonly Runtime[] = [
	node(22),
	commandLine('Node 24', process.execPath),
	node(26),
	commandLine('Bun', here('../node_modules/.bin/bun')),
	commandLine('Deno', here('../node_modules/.bin/deno'), 'run', '--allow-all', '--quiet'),
	workerd,
	browser,
];
