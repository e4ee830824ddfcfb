// The yardstick: node:http and node:sqlite, the same lookup and serialisation, and nothing else.
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { DatabaseSync } from 'node:sqlite';

const database = new DatabaseSync(process.argv[2]);
const owner = database.prepare(
	'select k.id, k.revoked_at, a.id as account, a.role, a.disabled_at from api_keys k join accounts a on a.id = k.account_id where k.hash = ?',
);
const boards = database.prepare('select * from boards order by name, id limit 101');

createServer((request, response) => {
	const key = request.headers.authorization?.slice(7) ?? '';
	const found = owner.get(createHash('sha256').update(key).digest('hex'));
	if (!found || found.revoked_at || found.disabled_at) return response.writeHead(401).end();
	const data = boards.all().map((row) => ({ ...row, tags: JSON.parse(row.tags) }));
	const body = JSON.stringify({ data, next_cursor: null });
	response.writeHead(200, {
		'content-type': 'application/json',
		'content-length': Buffer.byteLength(body),
	});
	response.end(body);
}).listen(0, '127.0.0.1', function () {
	console.log(this.address().port);
});
