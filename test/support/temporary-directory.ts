// A folder for the current test, removed when it ends.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

export async function temporaryDirectory() {
	const directory = await mkdtemp(join(tmpdir(), 'board-access-'));
	onTestFinished(() => rm(directory, { recursive: true, force: true }));
	return directory;
}
