// Pages that the service has to read again, because a board has changed.
import { DatabaseSync } from 'node:sqlite';
import type { Server } from './server.ts';

/** Changes the first board of an SQLite database. */
export function boardChanger(database: string) {
	const connection = new DatabaseSync(database, { timeout: 5_000 });
	connection.exec('pragma synchronous = off');
	const statement = connection.prepare(
		"update boards set updated_at = strftime('%Y-%m-%dT%H:%M:%fZ') where id = (select min(id) from boards)",
	);
	return { change: () => void statement.run(), close: () => connection.close() };
}

interface Asking {
	server: Server;
	key: string;
	path: string;
	requests: number;
}

/** Microseconds of processor time of each request when a board changes before every one. */
export async function cpuOfMisses(change: () => void, { server, key, path, requests }: Asking) {
	const headers = { authorization: `Bearer ${key}` };
	const before = await server.cpu();
	for (let count = 0; count < requests; count += 1) {
		change();
		await (await fetch(server.origin + path, { headers })).arrayBuffer();
	}
	return (((await server.cpu()) - before) * 1e6) / requests;
}
