// What attackers have stored before the attack, written directly to the tables: through the service it
// would take hours.
import { searchColumns } from '../../../core/src/boards/words.ts';
import { insertMany, type LabDatabase } from '../../support/database.ts';
import type { Lab } from './tenants.ts';

const time = '2026-01-05T08:00:00.000Z';

const quoted = (text: string) => `'${text}'`;
const id = (prefix: string, number = 'i') =>
	`'${prefix}_' || cast(100000000 + ${number} as text) || '${'0'.repeat(15)}'`;

/** Each key created three others. The last ones are live, as many as an account may have. */
export function manyKeys(lab: Lab, count: number) {
	const row = {
		id: id('key'),
		account_id: quoted(lab.attacker.accountId),
		hash: "'hash' || cast(i as text)",
		hint: "'key_'",
		created_at: quoted(time),
		created_by: `case when i > 0 then ${id('key', '(i - 1) / 3')} end`,
		revoked_at: `case when i < ${count - 1_000} then ${quoted(time)} end`,
	};
	return insertMany(lab.database, { table: 'api_keys', count, row });
}

export function manyActions(lab: Lab, count: number) {
	const row = {
		id: id('act'),
		lease_id: quoted(lab.attacker.leaseId),
		position: '100 + i',
		phase: "'use'",
		action: "'reset'",
		status: "'done'",
		message: "''",
		created_at: quoted(time),
		ended_at: quoted(time),
	};
	return insertMany(lab.database, { table: 'lease_actions', count, row });
}

/** That have ended. */
export function manyLeases({ attacker, database }: Lab) {
	const row = {
		id: id('lse'),
		account_id: quoted(attacker.accountId),
		board_type: "'siege-uno'",
		status: "'ended'",
		minutes: '1',
		credits_per_minute: '0',
		most_credits_per_minute: '0',
		held_credits: '0',
		created_at: quoted(time),
		queued_until: quoted(time),
		ended_at: quoted(time),
		end_reason: "'released'",
		label: "'a lease that has ended'",
	};
	return insertMany(database, { table: 'leases', count: 500, row });
}

export function manyEntries(lab: Lab, count: number) {
	const account = quoted(lab.attacker.accountId);
	const row = {
		id: id('ent'),
		created_at: quoted(time),
		kind: "'key.created'",
		account_id: account,
		actor_id: account,
		via: "'api'",
		details: "'{}'",
		count: '1',
		last_at: quoted(time),
	};
	return insertMany(lab.database, { table: 'activity', count, row });
}

/** As much output as is kept, of the character that takes the most bytes on a page. */
export async function fillConsole(lab: Lab) {
	const lease_id = quoted(lab.attacker.leaseId);
	const data = lab.database.isPostgres
		? `repeat('"', 65536)::bytea`
		: `cast(replace(hex(zeroblob(32768)), '0', '"') as blob)`;
	const row = { lease_id, direction: "'output'", '"offset"': 'i * 65536', data, stored_at: '0' };
	await insertMany(lab.database, { table: 'console_chunks', count: 16, row });
	await lab.database.run(`update leases set console_end = 1048576 where id = ${lease_id}`);
}

/** With the words that people use to describe boards, so that a search reads as much as in a real list. */
export async function manyBoards(database: LabDatabase) {
	for (let first = 0; first < boardCount; first += 1_000) {
		const rows = Array.from({ length: 1_000 }, (_, index) => {
			const { tags, ...board } = boardAt(first + index);
			const { name_key, words } = searchColumns({ ...board, tags });
			const fields = { ...board, tags: JSON.stringify(tags), name_key, words };
			return `('available', 'available', '${time}', '${time}', '${Object.values(fields).join("', '")}')`;
		});
		await database.run(
			`insert into boards (status, base_status, created_at, updated_at, id, name, board_type, description, tags, name_key, words) values ${rows.join(', ')}`,
		);
	}
	// As in a database that has been in use for a while.
	await database.run('vacuum');
	await database.run('analyze');
}

const boardCount = 100_000;
const types = 'esp32-s3 esp32-c6 rp2040-pico arduino-uno nrf52840-dk stm32f4-disco'.split(' ');
const notes =
	'camera on its display|logic analyser on SPI|battery of 2000 mAh|antenna outside, no case|two relays and a servo'.split(
		'|',
	);

function boardAt(index: number) {
	const type = types[index % types.length] ?? '';
	return {
		id: `brd_many_${index}`,
		name: `${type}-${(index * 7919) % boardCount}`,
		board_type: type,
		description: `Bench ${index % 230}, shelf ${index % 9}: ${notes[index % notes.length]}`,
		tags: {
			location: `rack-${index % 40}`,
			team: `firmware-${index % 17}`,
			serial: `SN${(index * 104_729) % 10_000_019}`,
		},
	};
}
