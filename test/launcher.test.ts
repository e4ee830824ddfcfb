// The commands in a clone: before the build they say what to do, after it they run.
import { execFile } from 'node:child_process';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { temporaryDirectory } from './support/temporary-directory.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

test.each([
	['bin/board-access.js', 'dist/cli/main.js'],
	['service/bin/board-access-service.js', 'service/dist/main.js'],
	['agent/bin/board-access-agent.js', 'agent/dist/main.js'],
])('%s starts the built command', async (launcher, main) => {
	const clone = await temporaryDirectory();
	await writeFile(join(clone, 'package.json'), '{"type":"module"}');
	await cp(join(root, launcher), join(clone, launcher));
	expect(await run(join(clone, launcher))).toEqual({
		exitCode: 1,
		stdout: '',
		stderr: expect.stringMatching(/^The command \S+ is not built yet. Run: npm run build\n$/),
	});
	await mkdir(join(clone, main, '..'), { recursive: true });
	await writeFile(join(clone, main), 'console.log(process.argv[2]); process.exitCode = 3;');
	expect(await run(join(clone, launcher))).toEqual({ exitCode: 3, stdout: 'word\n', stderr: '' });
});

function run(script: string) {
	return new Promise((resolve) => {
		const child = execFile(process.execPath, [script, 'word'], (_, stdout, stderr) =>
			resolve({ exitCode: child.exitCode, stdout, stderr }),
		);
	});
}
