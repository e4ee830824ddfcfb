// The first schema. A released migration is never edited.
import { sql } from 'kysely';
import { onPostgres } from '../postgres.ts';
import type { Db } from '../schema.ts';

export async function createSchema(db: Db) {
	const postgres = onPostgres(db);
	const triggers = postgres ? onlyOnPostgres : onlyOnSqlite;
	for (const statement of [...tables(postgres).split(';'), ...triggers]) {
		await sql.raw(statement).execute(db);
	}
}

// Console bytes need not outlive a crash of the database, and unlogged they cost a sixth.
const tables = (postgres: boolean) => `
create table accounts (
	id text primary key, email text not null unique, role text not null,
	disabled_at text, created_at text not null,
	verified_at text, vouched integer default 0 not null, two_factor_at text, deleted_at text,
	balance integer default 0 not null, held_credits integer default 0 not null,
	live_leases integer default 0 not null, queued_leases integer default 0 not null
);
create table credentials (
	account_id text primary key references accounts (id), password_hash text not null
);
create table sessions (
	id text primary key, account_id text not null references accounts (id),
	token_hash text not null unique, ip_address text not null, user_agent text not null,
	expires_at text not null, created_at text not null,
	last_used_at text not null, confirmed_at text not null,
	former_hash text, rotated_at text
);
create index sessions_former on sessions (former_hash);
create index sessions_account on sessions (account_id);
create table known_devices (
	account_id text not null references accounts (id), hash text not null, last_used_at text not null,
	constraint known_devices_primary primary key (account_id, hash)
);
create index known_devices_hash on known_devices (hash);
create table two_factor (
	account_id text primary key references accounts (id),
	secret text not null, last_step integer not null, created_at text not null
);
create table recovery_codes (
	account_id text not null references accounts (id), hash text not null,
	constraint recovery_codes_primary primary key (account_id, hash)
);
create table account_links (
	hash text primary key, kind text not null, email text not null, new_email text, expires_at text not null
);
create index account_links_email on account_links (email);
create table service_secrets (name text primary key, value text not null);

create table api_keys (
	id text primary key, account_id text not null references accounts (id),
	hash text not null unique, hint text not null, label text, scope text default 'full' not null,
	created_by text, created_at text not null, expires_at text, revoked_at text,
	last_used_at text, last_used_address text
);
create index api_keys_newest on api_keys (account_id, created_at, id);
create index api_keys_live on api_keys (account_id, created_at, id) where revoked_at is null;
create index api_keys_created_by on api_keys (created_by, created_at, id) where created_by is not null;
create index api_keys_ended on api_keys (created_at, id)
	where revoked_at is not null or expires_at is not null;
create table idempotency (
	account_id text not null, idempotency_key text not null,
	request_hash text not null, resource_id text not null, created_at text not null,
	constraint idempotency_primary primary key (account_id, idempotency_key)
);
create index idempotency_age on idempotency (created_at);
create table credit_entries (
	id text primary key, account_id text not null,
	amount integer not null, reason text not null, reference text not null unique,
	created_at text not null
);
create index credit_entries_account on credit_entries (account_id, created_at, id);
create table activity (
	id text primary key, created_at text not null, kind text not null,
	account_id text, actor_id text, via text not null, api_key_id text, session_id text, address text,
	subject_id text, details text not null,
	repeat_key text unique, count integer not null, last_at text not null
);
create index activity_newest on activity (created_at, id);
create index activity_account_id_newest on activity (account_id, created_at, id);
create index activity_actor_id_newest on activity (actor_id, created_at, id);
create index activity_kind_newest on activity (kind, created_at, id);

create table agents (
	id text primary key, name text not null, hash text not null unique, hint text not null,
	boot_id text, booted_at text, quick_boots integer default 0 not null, connection_id text,
	version text, host text, started_at text,
	created_at text not null, last_seen_at text, revoked_at text
);
create table boards (
	id text primary key, name text not null, board_type text not null, status text not null,
	description text not null, tags text not null, created_at text not null, updated_at text not null,
	base_status text default 'available' not null, status_reason text default '' not null,
	status_since text default '' not null,
	credits_per_minute integer default 0 not null, agent_id text, capabilities text,
	fence integer default 0 not null, failed_preparations integer default 0 not null,
	resting_until text, rest_reason text, lease_id text, lease_account_id text,
	name_key text ${postgres ? 'collate "C"' : ''} default '' not null,
	words text ${postgres ? 'collate "C"' : ''} default '' not null
);
create index boards_sorted on boards (name_key, id);
create index boards_board_type_sorted on boards (board_type, name_key, id);
create index boards_status_sorted on boards (status, name_key, id);
create index boards_board_type_status_sorted on boards (board_type, status, name_key, id);
create index boards_agent on boards (agent_id, status, failed_preparations);
create index boards_driven on boards (agent_id) where capabilities is not null;
create index boards_free on boards (board_type, credits_per_minute, (agent_id is null), id)
	where status || '' = 'available';
create index boards_price on boards (board_type, credits_per_minute, status);
create index boards_resting on boards (resting_until) where resting_until is not null;
create table favorite_boards (
	account_id text not null references accounts (id), board_id text not null,
	constraint favorite_boards_primary primary key (account_id, board_id)
);
create table saved_filters (
	account_id text not null references accounts (id), name text not null, query text not null,
	constraint saved_filters_primary primary key (account_id, name)
);
create table board_changes (counter text primary key, value bigint not null);
insert into board_changes (counter, value) values ('first', 0);
create table base_images (
	id text primary key, action text not null, board_type text not null,
	name text not null, description text not null, url text not null, flash_offset text not null,
	position integer not null, enabled integer not null, created_at text not null
);
create index base_images_order on base_images (board_type, position, created_at, id);
create table image_downloads (url text primary key, expires_at text not null);

create table leases (
	id text primary key, account_id text not null, api_key_id text,
	board_type text not null, wanted_board_id text, requires_agent integer default 0 not null,
	board_id text, fence integer, label text, status text not null, minutes integer not null,
	credits_per_minute integer not null, most_credits_per_minute integer not null,
	held_credits integer not null, credits integer,
	created_at text not null, queued_until text not null, wait_extensions integer default 0 not null,
	granted_at text, preparation_expires_at text,
	open_steps integer default 0 not null, action_changes integer default 0 not null, started_at text,
	charged_from text, expires_at text,
	ended_at text, end_reason text, end_message text, turn integer,
	console_end bigint default 0 not null,
	console_change integer, console_status text, console_message text, console_lost_at text,
	console_gap_offset bigint, console_gap_ms integer,
	console_sync integer default 0 not null, console_synced integer default 0 not null,
	input_end bigint default 0 not null, input_taken bigint default 0 not null,
	mail_when_ready integer default 0 not null, summed integer default 0 not null
);
create unique index leases_board on leases (board_id) where status in ('preparing', 'active');
create index leases_past on leases (board_id, ended_at) where ended_at is not null;
create index leases_used on leases (board_type, ended_at) where ended_at is not null and charged_from is not null;
create index leases_live on leases (account_id, created_at, id) where status <> 'ended';
create index leases_newest on leases (account_id, created_at, id);
create index leases_unsummed on leases (ended_at) where summed = 0;
create index leases_queue on leases (board_type, turn, created_at, id) where status = 'queued';
create table lease_shares (
	lease_id text not null references leases (id), email text not null,
	access text not null, created_at text not null,
	constraint lease_shares_primary primary key (lease_id, email)
);
create index lease_shares_email on lease_shares (email);
create table lease_actions (
	id text primary key, lease_id text not null references leases (id),
	position integer not null, phase text not null, action text not null,
	name text, url text, file_id text, flash_offset text,
	status text not null, message text not null, progress integer, console_offset bigint,
	created_at text not null, ended_at text, requested_by text,
	constraint lease_actions_order unique (lease_id, position)
);
create table failures (
	id text primary key, created_at text not null, cause text not null,
	lease_id text not null, board_id text not null, agent_id text
);
create index failures_newest on failures (created_at);
create table hourly_use (
	hour integer not null, measure text not null, value bigint not null,
	constraint hourly_use_primary primary key (hour, measure)
);
create table files (
	id text primary key, lease_id text references leases (id), url text, owner text not null,
	size integer not null, sha256 text not null, format text not null, created_at text not null
);
create index files_lease on files (lease_id);
create index files_url on files (url);
create index files_content on files (owner, sha256);
create table file_contents (
	owner text not null, sha256 text not null, data ${postgres ? 'bytea' : 'blob'} not null,
	constraint file_contents_primary primary key (owner, sha256)
);
create ${postgres ? 'unlogged' : ''} table lease_pins (
	lease_id text primary key, fence integer not null, watched_until text default '' not null,
	sample text, sampled_at text,
	picture ${postgres ? 'bytea' : 'blob'}, pictured_at text, driven text default '{}' not null
);
create ${postgres ? 'unlogged' : ''} table console_chunks (
	lease_id text not null, direction text not null, "offset" bigint not null,
	data ${postgres ? 'bytea' : 'blob'} not null, piece text, stored_at bigint not null,
	constraint console_chunks_primary primary key (lease_id, direction, "offset")
)`;

/** The tables that the records of boards are made of. */
const inRevision = ['boards', 'base_images'];

const onlyOnPostgres = [
	// Counts need not outlive a crash, and unlogged they are written without waiting for the disk.
	`create unlogged table rate_limits (
		key varchar(255) primary key, points integer default 0 not null, expire bigint
	)`,
	// With one counter, every transaction that changes a board would wait for all others until they end.
	// This one takes a counter that no other holds, or adds one. It counts once per transaction instead of once
	// per board: the setting ends with the transaction, and is undone together with the changes after a savepoint.
	`create function count_boards_change() returns trigger language plpgsql as $$
		declare transaction text := pg_current_xact_id()::text;
		begin
			if current_setting('board_access.counted', true) = transaction then return null; end if;
			perform set_config('board_access.counted', transaction, true);
			update board_changes set value = value + 1
				where counter = (select counter from board_changes limit 1 for update skip locked);
			if not found then insert into board_changes values (gen_random_uuid(), 1); end if;
			return null;
		end $$`,
	...inRevision.map(
		(table) => `create trigger boards_change after insert or update or delete on ${table}
			for each row execute function count_boards_change()`,
	),
];

const onlyOnSqlite = inRevision.flatMap((table) =>
	['insert', 'update', 'delete'].map(
		(change) => `create trigger ${table}_${change} after ${change} on ${table} begin
			update board_changes set value = value + 1;
		end`,
	),
);
