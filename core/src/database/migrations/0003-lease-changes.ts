// Counts the changes of what lists of leases show, so that a request that waits for one reads a number instead.
import { sql } from 'kysely';
import { onPostgres } from '../postgres.ts';
import type { Db } from '../schema.ts';

export async function countLeaseChanges(db: Db) {
	const statements = onPostgres(db)
		? [countChange, ...triggers(onPostgresOf)]
		: triggers((trigger) => [onSqliteOf(trigger)]);
	for (const statement of [table, ...statements]) await sql.raw(statement).execute(db);
}

const table = `create table lease_changes (
	name text not null, counter text not null, value bigint not null,
	constraint lease_changes_primary primary key (name, counter)
)`;

// As for boards, a transaction takes a counter that no other holds, or adds one, so that none waits for another.
const countChange = `create function count_change(changed text) returns void language plpgsql as $$
	begin
		update lease_changes set value = value + 1 where name = changed and counter = (
			select counter from lease_changes where name = changed limit 1 for update skip locked
		);
		if not found then insert into lease_changes values (changed, gen_random_uuid(), 1); end if;
	end $$`;

/** The names that a change of a row counts for. What no list shows changes with each byte of a console. */
const counted = {
	leases: {
		columns: `account_id, board_type, board_id, label, status, minutes, turn, credits, created_at,
			preparation_expires_at, started_at, expires_at, ended_at, end_reason, end_message, console_status,
			console_message, console_lost_at, console_gap_offset, console_gap_ms`,
		names: `select row.account_id union select 'queue ' || row.board_type where 'queued' in (statuses)`,
	},
	lease_shares: {
		columns: 'email, access',
		names: 'select id from accounts where email = row.email',
	},
	// By these, an account finds the leases that are shared with it, and knows their holders.
	accounts: { columns: 'email, verified_at, deleted_at', names: 'select row.id' },
};

interface Trigger {
	name: string;
	event: string;
	names: string;
}

function triggers(statementsOf: (trigger: Trigger) => string[]) {
	return Object.entries(counted).flatMap(([table, { columns, names }]) =>
		['insert', 'update', 'delete'].flatMap((change) => {
			const row = change === 'delete' ? 'old' : 'new';
			const statuses = change === 'update' ? 'old.status, new.status' : `${row}.status`;
			return statementsOf({
				name: `${table}_${change}`,
				event: `${change}${change === 'update' ? ` of ${columns}` : ''} on ${table}`,
				names: names.replaceAll('row.', `${row}.`).replace('statuses', statuses),
			});
		}),
	);
}

function onPostgresOf({ name, event, names }: Trigger) {
	return [
		`create function count_${name}() returns trigger language plpgsql as $$
			begin
				perform count_change(name) from (${names}) as changed (name);
				return null;
			end $$`,
		`create trigger ${name} after ${event} for each row execute function count_${name}()`,
	];
}

function onSqliteOf({ name, event, names }: Trigger) {
	return `create trigger ${name} after ${event} begin
		insert into lease_changes (name, counter, value) select *, 'only', 1 from (${names}) where true
			on conflict do update set value = value + 1;
	end`;
}
