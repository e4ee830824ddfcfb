// What a run writes to the temporary directory goes into one folder, which is removed at its end.
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export default async () => {
	const folder = await mkdtemp(join(tmpdir(), 'board-access-tests-'));
	// PostgreSQL runs as another user, who needs access.
	await chmod(folder, 0o755);
	process.env.TMPDIR = folder;
	return () => rm(folder, { recursive: true, force: true, maxRetries: 5 });
};
