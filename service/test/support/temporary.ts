// The folder of a run, for the databases of its tests. It is removed at the end.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
	interface ProvidedContext {
		temporary: string;
	}
}

export default async (project: TestProject) => {
	const folder = await mkdtemp(join(tmpdir(), 'board-access-tests-'));
	project.provide('temporary', folder);
	return () => rm(folder, { recursive: true, force: true });
};
