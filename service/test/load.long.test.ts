// A short run of the mixed load of `npm run bench -- leases load`, on the present sources.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, inject, test } from 'vitest';

const bench = fileURLToPath(new URL('../../bench/main.ts', import.meta.url));

test('under a mixed load, every lease stays live and every console byte is stored', async () => {
	const { stdout } = await promisify(execFile)(
		process.execPath,
		[bench, 'leases', 'load', '--quick'],
		{ env: { ...process.env, BENCH_SERVICE: inject('main') } },
	);
	expect(stdout.match(/every lease was live, and every byte of output was stored/g)).toHaveLength(
		2,
	);
	expect(stdout).not.toMatch(/NaN|undefined|Lost/);
}, 300_000);
