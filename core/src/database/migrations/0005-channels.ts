// Channels between the users of leases and the ports of their boards, and by whom the processor of a board is halted.
import { sql } from 'kysely';
import { onPostgres } from '../postgres.ts';
import type { Db } from '../schema.ts';

export async function addChannels(db: Db) {
	for (const statement of [
		`create table channels (
			id text primary key, lease_id text not null, fence integer not null,
			kind text not null, port text, account_id text not null, key_id text, session_id text,
			ticket text, agent_ticket text, home text, home_url text, expires_at text not null
		)`,
		'create index channels_of_lease on channels (lease_id)',
		'create index channels_at_home on channels (home)',
		'alter table leases add column halted_by text',
		`create trigger leases_halted after update of halted_by on leases ${countChange(db)}`,
	]) {
		await sql.raw(statement).execute(db);
	}
}

/** Lists show it, so that it counts as their other columns do. */
function countChange(db: Db) {
	if (onPostgres(db)) return 'for each row execute function count_leases_update()';
	return `begin
		insert into lease_changes (name, counter, value) values (new.account_id, 'only', 1)
			on conflict do update set value = value + 1;
	end`;
}
