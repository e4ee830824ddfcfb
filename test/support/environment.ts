// The environment of every run: nothing of the user's terminal, network or service, and a temporary folder
// that is removed at its end.
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const terminal = ['FORCE_COLOR', 'NO_COLOR', 'COLUMNS', 'LINES'];
const ownService = /^(SERVICE|BOARD)_|_proxy$/i;

export default async () => {
	// A project that needs it early brings it, then the root.
	if (process.env.TEST_FOLDER) return;
	for (const name of Object.keys(process.env)) {
		if (terminal.includes(name) || ownService.test(name)) delete process.env[name];
	}
	// PostgreSQL runs as another user, who reads files that the tests write.
	process.umask(0o022);
	// Sockets of browsers lie in it, whose paths have at most 107 characters.
	const folder = await mkdtemp(join(tmpdir(), 'tests-'));
	await chmod(folder, 0o755);
	process.env.TMPDIR = process.env.TEST_FOLDER = folder;
	return () => rm(folder, { recursive: true, force: true, maxRetries: 5 });
};
