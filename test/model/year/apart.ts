// Runs a site in a process of its own.
import { fork } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Bundles } from '../bundle.ts';
import type { Census } from './census.ts';
import type { YearOptions, YearResult } from './run.ts';

const script = fileURLToPath(new URL('./worker.ts', import.meta.url));

/** An interrupt ends the run with the next count. */
export async function runApart(
	bundles: Bundles,
	options: YearOptions,
	onCensus: (census: Census) => void = () => {},
): Promise<YearResult> {
	const folder = await mkdtemp(join(tmpdir(), 'board-access-year-'));
	const file = join(folder, 'bundles.json');
	await writeFile(file, JSON.stringify(bundles));
	const child = fork(script, [file, JSON.stringify(options)], {
		execArgv: ['--max-semi-space-size=64'],
		stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
	});
	const end = () => child.send('end');
	process.once('SIGINT', end);
	const result = new Promise<YearResult>((resolve, reject) => {
		child.on('message', ({ census, result }: { census?: Census; result?: YearResult }) => {
			if (census) onCensus(census);
			if (result) resolve(result);
		});
		child.once('exit', (code) => reject(new Error(`The site ended with ${code}`)));
	});
	return await result.finally(async () => {
		process.off('SIGINT', end);
		await rm(folder, { recursive: true });
	});
}
