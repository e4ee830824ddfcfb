// What a million keys, a hundred thousand boards and a million requests change.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { requestsPerSecond } from './load.mjs';
import { command, median, seededDatabase, start } from './server.mjs';

const fill = (file, sql, rows) => {
	const database = new DatabaseSync(file);
	database.exec('pragma synchronous = off; begin');
	const insert = database.prepare(sql);
	for (const row of rows) insert.run(...row);
	database.exec('commit');
	database.close();
};

function* keys(file, count) {
	const database = new DatabaseSync(file);
	const { id } = database.prepare('select id from accounts limit 1').get();
	database.close();
	for (let number = 0; number < count; number += 1) {
		const hash = randomBytes(32).toString('hex');
		yield [`key_${hash.slice(0, 24)}`, id, hash, 'key_0…0', '2026-01-01T00:00:00.000Z'];
	}
}

function* boards(count) {
	for (let number = 0; number < count; number += 1) {
		const name = `board-${String(number).padStart(6, '0')}`;
		const time = '2026-01-01T00:00:00.000Z';
		yield [`brd_${number}`, name, 'esp32', 'available', 'A board', '{"rack":"1"}', time, time];
	}
}

const insertKey =
	'insert into api_keys (id, account_id, hash, hint, created_at) values (?, ?, ?, ?, ?)';
const insertBoard = 'insert into boards values (?, ?, ?, ?, ?, ?, ?, ?)';

/** Measures two in turns and prints how much longer the second takes. */
const compare = async (title, first, second) => {
	const ratios = [];
	for (let round = 0; round < 5; round += 1) ratios.push((await first()) / (await second()));
	console.log(`${title}: ${median(ratios).toFixed(2)} ×`);
};

const few = await seededDatabase();
const many = await seededDatabase();
fill(few.file, insertKey, keys(few.file, 1_000));
fill(many.file, insertKey, keys(many.file, 1_000_000));
const small = await start(few.file, command, 'start');
const large = await start(many.file, command, 'start');
await compare(
	'1,000,000 keys against 1,000',
	() => requestsPerSecond(small.url, few.key, { seconds: 2 }),
	() => requestsPerSecond(large.url, many.key, { seconds: 2 }),
);
large.child.kill();

const long = await seededDatabase();
fill(long.file, insertBoard, boards(100_000));
const listing = await start(long.file, command, 'start');
const ask = async (url) =>
	(await fetch(url, { headers: { authorization: `Bearer ${long.key}` } })).json();
let deep = '';
for (let page = 0; page < 450; page += 1) {
	const { next_cursor } = await ask(`${listing.url}?limit=200${deep && `&cursor=${deep}`}`);
	deep = next_cursor;
}
await compare(
	'page 900 of 100,000 boards against page 1',
	() => requestsPerSecond(`${listing.url}?limit=100`, long.key, { seconds: 2 }),
	() => requestsPerSecond(`${listing.url}?limit=100&cursor=${deep}`, long.key, { seconds: 2 }),
);
listing.child.kill();

const memory = () =>
	Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${small.child.pid}/status`, 'utf8'))[1]) / 1024;
const run = async (count) => {
	for (let done = 0; done < count; )
		done += await requestsPerSecond(small.url, few.key, { seconds: 1 });
};
await run(10_000);
const early = memory();
await run(1_000_000);
console.log(
	`memory after about 1,000,000 requests: ${memory().toFixed(0)} MB, before ${early.toFixed(0)} MB`,
);
small.child.kill();
