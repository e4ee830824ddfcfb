// The steps that are only statements: text for both databases, or what it is on PostgreSQL and on SQLite.
// No statement contains a semicolon.

export const statements: Record<string, string | ((postgres: boolean) => string)> = {
	'0001-accounts': `
		create table accounts (
			id text primary key,
			email text not null unique,
			role text not null,
			disabled_at text,
			created_at text not null, updated_at text not null
		);
		create table credentials (
			id text primary key,
			account_id text not null references accounts (id),
			provider text not null, issuer text not null, subject text not null,
			password_hash text not null,
			created_at text not null, updated_at text not null,
			constraint credentials_account_provider unique (account_id, provider)
		);
		create table sessions (
			id text primary key,
			account_id text not null references accounts (id),
			token_hash text not null unique,
			ip_address text not null, user_agent text not null,
			expires_at text not null, created_at text not null, updated_at text not null
		);
		create index sessions_account on sessions (account_id);
		create table service_secrets (name text primary key, value text not null)`,

	'0002-api-keys': `
		create table api_keys (
			id text primary key,
			account_id text not null references accounts (id),
			hash text not null unique, hint text not null,
			label text,
			created_at text not null, last_used_at text, revoked_at text
		);
		create index api_keys_newest on api_keys (account_id, created_at, id)`,

	'0003-boards': `
		create table boards (
			id text primary key,
			name text not null,
			board_type text not null,
			status text not null,
			description text not null,
			tags text not null,
			created_at text not null, updated_at text not null
		);
		create index boards_name on boards (name, id);
		create index boards_board_type_name on boards (board_type, name, id);
		create index boards_status_name on boards (status, name, id);
		create index boards_board_type_status_name on boards (board_type, status, name, id)`,

	'0004-base-images': `
		create table base_images (
			id text primary key,
			action text not null,
			board_type text not null,
			name text not null, description text not null,
			url text not null, flash_offset text not null,
			position integer not null, enabled integer not null,
			created_at text not null
		);
		create index base_images_order on base_images (board_type, position, created_at, id)`,

	'0005-credits': `
		create table credit_entries (
			id text primary key,
			account_id text not null references accounts (id),
			amount integer not null, reason text not null,
			reference text not null unique,
			created_at text not null
		);
		create index credit_entries_account on credit_entries (account_id, created_at, id)`,

	'0006-idempotency': `
		create table idempotency (
			account_id text not null references accounts (id),
			idempotency_key text not null, request_hash text not null,
			resource_id text,
			created_at text not null,
			constraint idempotency_primary primary key (account_id, idempotency_key)
		);
		create index idempotency_age on idempotency (created_at)`,

	// The names and types are those that http/counts.ts reads and writes. Counts need not outlive
	// a crash, and unlogged they are written without waiting for the disk. On SQLite they are in memory.
	'0007-rate-limits': (postgres) =>
		postgres
			? `create unlogged table rate_limits (
				key varchar(255) primary key, points integer default 0 not null, expire bigint
			)`
			: '',

	'0008-agents': `
		create table agents (
			id text primary key,
			name text not null,
			hash text not null unique, hint text not null,
			boot_id text, connection_id text,
			created_at text not null, last_seen_at text, revoked_at text
		);
		alter table boards add column credits_per_minute integer default 0 not null;
		alter table boards add column fence integer default 0 not null;
		alter table boards add column failed_preparations integer default 0 not null;
		alter table boards add column base_status text default 'available' not null;
		alter table boards add column status_reason text default '' not null;
		alter table boards add column capabilities text;
		alter table boards add column agent_id text;
		alter table boards add column lease_id text;
		alter table boards add column lease_account_id text;
		update boards set base_status = status;
		create index boards_agent on boards (agent_id);
		create index boards_grant on boards (board_type, status, credits_per_minute, id)`,

	// A board is never held by two leases, even if the code has a bug.
	'0009-leases': `
		create table leases (
			id text primary key,
			account_id text not null references accounts (id), api_key_id text,
			board_type text not null, wanted_board_id text, board_id text,
			label text,
			status text not null,
			minutes integer not null,
			fence integer,
			credits_per_minute integer not null, held_credits integer not null, credits integer,
			created_at text not null, queued_until text not null, granted_at text,
			started_at text, expires_at text,
			ended_at text, end_reason text, end_message text,
			console_start bigint default 0 not null, console_end bigint default 0 not null,
			input_start bigint default 0 not null, input_end bigint default 0 not null
		);
		create unique index leases_board on leases (board_id) where status in ('preparing', 'active');
		create index leases_live on leases (account_id, status) where status <> 'ended';
		create index leases_newest on leases (account_id, created_at, id);
		create table lease_actions (
			id text primary key,
			lease_id text not null references leases (id),
			position integer not null,
			phase text not null, action text not null,
			name text, url text, file_id text, flash_offset text,
			status text not null, message text not null,
			created_at text not null, ended_at text,
			constraint lease_actions_order unique (lease_id, position)
		)`,

	// Console bytes need not outlive a crash of the database, and unlogged they cost a sixth.
	'0010-files-and-consoles': (postgres) => `
		create table files (
			id text primary key,
			lease_id text references leases (id),
			url text,
			size integer not null, sha256 text not null, format text not null,
			data ${postgres ? 'bytea' : 'blob'} not null,
			created_at text not null
		);
		create index files_lease on files (lease_id);
		create index files_url on files (url);
		create ${postgres ? 'unlogged' : ''} table console_chunks (
			lease_id text not null,
			direction text not null,
			"offset" bigint not null,
			data ${postgres ? 'bytea' : 'blob'} not null,
			constraint console_chunks_primary primary key (lease_id, direction, "offset")
		)`,

	// A list of live keys costs the same however many were revoked.
	'0011-api-key-limits': `
		alter table api_keys add column scope text default 'full' not null;
		alter table api_keys add column created_by text;
		alter table api_keys add column expires_at text;
		create index api_keys_live on api_keys (account_id, created_at, id) where revoked_at is null;
		create index api_keys_created_by on api_keys (created_by) where created_by is not null`,

	'0020-account-links': `
		alter table accounts add column verified_at text;
		create table account_links (
			hash text primary key,
			kind text not null, email text not null,
			expires_at text not null
		);
		create index account_links_email on account_links (email)`,

	'0021-console-offsets': 'alter table lease_actions add column console_offset bigint',

	'0030-sessions': `
		alter table sessions add column last_used_at text default '' not null;
		alter table sessions add column confirmed_at text default '' not null;
		update sessions set last_used_at = created_at, confirmed_at = created_at`,

	'0031-known-devices': `
		create table known_devices (
			account_id text not null references accounts (id),
			hash text not null,
			last_used_at text not null,
			constraint known_devices_primary primary key (account_id, hash)
		);
		create index known_devices_hash on known_devices (hash)`,

	'0032-two-factor': `
		alter table accounts add column two_factor_at text;
		create table two_factor (
			account_id text primary key references accounts (id),
			secret text not null, last_step integer not null,
			created_at text not null
		);
		create table recovery_codes (
			account_id text not null references accounts (id),
			hash text not null,
			constraint recovery_codes_primary primary key (account_id, hash)
		)`,

	'0033-account-deletion': 'alter table accounts add column deleted_at text',

	// An index for each way to read it, newest first; entries have no foreign keys, to outlive accounts.
	'0040-activity': `
		create table activity (
			id text primary key,
			created_at text not null,
			kind text not null,
			account_id text, actor_id text,
			via text not null, api_key_id text, session_id text, address text,
			subject_id text, details text not null,
			repeat_key text unique, count integer not null, last_at text not null
		);
		create index activity_newest on activity (created_at, id);
		create index activity_account_id_newest on activity (account_id, created_at, id);
		create index activity_actor_id_newest on activity (actor_id, created_at, id);
		create index activity_kind_newest on activity (kind, created_at, id)`,

	'0041-last-used-address': 'alter table api_keys add column last_used_address text',

	'0050-image-downloads': `
		create table image_downloads (
			url text primary key, replica text not null, expires_at text not null
		)`,

	// The order in which free boards are granted, now with an agent before others.
	'0051-lease-requirements': `
		alter table leases add column requires_agent integer default 0 not null;
		drop index boards_grant;
		create index boards_grant on boards
			(board_type, status, credits_per_minute, (agent_id is null), id)`,

	// The queue is read several times a second, and is usually empty or short.
	'0052-lease-queue': `create index leases_queued on leases (board_type) where status = 'queued'`,

	// The price that a user accepted, the limit of a preparation, agents that restart often, boards that rest.
	'0060-lease-times': `
		alter table leases add column most_credits_per_minute integer;
		alter table leases add column wait_extensions integer default 0 not null;
		alter table leases add column preparation_expires_at text;
		alter table boards add column resting_until text;
		alter table boards add column rest_reason text;
		create index boards_resting on boards (resting_until) where resting_until is not null;
		alter table agents add column booted_at text;
		alter table agents add column quick_boots integer default 0 not null`,

	// How much input the agent has written, whether the console is connected, and how much output is complete.
	'0061-console-input': `
		alter table leases add column input_taken bigint default 0 not null;
		alter table leases add column console_change integer;
		alter table leases add column console_status text;
		alter table leases add column console_message text;
		alter table leases add column console_lost_at text;
		alter table leases add column console_gap_offset bigint;
		alter table leases add column console_gap_ms integer;
		alter table leases add column console_sync integer default 0 not null;
		alter table leases add column console_synced integer default 0 not null`,

	// Tells the same input of two writers apart.
	'0062-console-pieces': 'alter table console_chunks add column piece text',
};
