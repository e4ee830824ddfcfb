// The tables as both databases hold them: text, whole numbers, and bytes for firmware and consoles.
// Timestamps are RFC 3339 text with milliseconds and Z, so they sort as they read.
import type {
	activityEntry,
	agent,
	apiKey,
	baseImage,
	boardActions,
	boardFailures,
	boardInput,
	boardStatuses,
	channelKinds,
	firmwareFile,
	lease,
	leaseAction,
	leaseShare,
} from 'board-access-contract';
import type { Generated, Kysely, Selectable } from 'kysely';
import type * as z from 'zod/mini';

interface AccountTable {
	id: string;
	email: string;
	role: 'user' | 'admin';
	disabled_at: string | null;
	verified_at: string | null;
	/** Whether an administrator or the operator has verified the address, and nobody has shown since that it is theirs. */
	vouched: Generated<0 | 1>;
	/** Since when a log-in needs a code of an authenticator app too. */
	two_factor_at: string | null;
	/** A deleted account keeps its row for the ledger, without the address. */
	deleted_at: string | null;
	created_at: string;
	/** The sum of the ledger. */
	balance: Generated<number>;
	/** The credits that its live leases hold. */
	held_credits: Generated<number>;
}

export type AccountRow = Selectable<AccountTable>;

/** A link that works once. Links, devices, codes, keys and tokens are stored by their SHA-256. */
export interface AccountLinkRow {
	hash: string;
	kind: 'reset' | 'invite' | 'verify' | 'log-in';
	email: string;
	expires_at: string;
}

interface CredentialRow {
	account_id: string;
	password_hash: string;
}

export interface SessionRow {
	id: string;
	account_id: string;
	token_hash: string;
	ip_address: string;
	user_agent: string;
	expires_at: string;
	created_at: string;
	last_used_at: string;
	confirmed_at: string;
	/** The token before the present one, and since when it has been replaced. */
	former_hash: string | null;
	rotated_at: string | null;
}

/** A device from which somebody logged in to an account. */
interface KnownDeviceRow {
	account_id: string;
	hash: string;
	last_used_at: string;
}

interface TwoFactorRow {
	account_id: string;
	secret: string;
	/** The time step of the last code that was accepted, which is not accepted again. */
	last_step: number;
	created_at: string;
}

interface RecoveryCodeRow {
	account_id: string;
	hash: string;
}

type ApiKeyRecord = z.output<typeof apiKey>;

interface ApiKeyTable extends Omit<ApiKeyRecord, 'scope'> {
	account_id: string;
	hash: string;
	scope: Generated<ApiKeyRecord['scope']>;
	last_used_address: string | null;
}
export type ApiKeyRow = Selectable<ApiKeyTable>;

/** What an administrator says of a board; a field that can be left out has a default in the database. */
type BoardFields = Omit<z.input<typeof boardInput>, 'status' | 'tags'>;

type Stored<Fields> = {
	[Name in keyof Fields]-?: undefined extends Fields[Name]
		? Generated<Exclude<Fields[Name], undefined>>
		: Fields[Name];
};

interface BoardTable extends Stored<BoardFields> {
	id: string;
	status: (typeof boardStatuses)[number];
	tags: string;
	created_at: string;
	updated_at: string;
	/** The status that an administrator set: what the board returns to without a lease. */
	base_status: Generated<(typeof boardStatuses)[number]>;
	status_reason: Generated<string>;
	/** When the status became what it is; empty if it was so from the beginning. */
	status_since: Generated<string>;
	agent_id: string | null;
	/** What the connected agent can do with the board, as JSON; null while no agent drives it. */
	capabilities: string | null;
	/** Counts the leases that the board was granted to; what an older lease sends is rejected. */
	fence: Generated<number>;
	failed_preparations: Generated<number>;
	/** Until when the board is not granted, although its agent drives it, and why. */
	resting_until: string | null;
	rest_reason: string | null;
	/** The lease that holds the board, so that the status of a board follows from its row alone. */
	lease_id: string | null;
	lease_account_id: string | null;
	name_key: Generated<string>;
	/** What the board is found by: words, each after a space. */
	words: Generated<string>;
}
export type BoardRow = Selectable<BoardTable>;

interface AgentTable extends Omit<z.output<typeof agent>, 'online' | 'board_ids'> {
	hash: string;
	/** The token before the present one, until when it works. */
	former_hash: string | null;
	former_until: string | null;
	/** The start of the agent that was seen last. */
	boot_id: string | null;
	booted_at: string | null;
	/** How many starts before it followed each other quickly. */
	quick_boots: Generated<number>;
	/** What it has said of itself when it connected last, and when it was started by that. */
	version: string | null;
	host: string | null;
	started_at: string | null;
	/** The connection that is being served; a newer one replaces it. */
	connection_id: string | null;
}
export type AgentRow = Selectable<AgentTable>;

/** What a record has that is no column, but follows from others. */
type Found = 'access' | 'holder_email' | 'queue_position' | 'expires_in_ms';

interface LeaseTable extends Omit<z.output<typeof lease>, Found> {
	account_id: string;
	api_key_id: string | null;
	wanted_board_id: string | null;
	/** The tags that its board must have, as JSON; null for any value. */
	wanted_tags: Generated<string>;
	/** The leases of a group are granted, renewed and ended together. Each has a role in it. */
	group_id: string | null;
	/** The tag for which all boards of the group must have the same value. */
	same_tag: string | null;
	/** 1 if the lease needs a board that an agent drives, otherwise 0. */
	requires_agent: Generated<number>;
	/** That of its board, or while it waits again, of the last one. */
	fence: number | null;
	/** What its board costs, or the last one that it had; before the first, the highest price that was accepted. */
	credits_per_minute: number;
	/** The highest price that the user accepted. */
	most_credits_per_minute: number;
	held_credits: number;
	queued_until: string;
	/** How often that was made later, after a preparation that failed. */
	wait_extensions: Generated<number>;
	granted_at: string | null;
	/** When its minutes begin: with a grace, later than it starts. Null until it is active. */
	charged_from: string | null;
	/** Counts the changes of its actions, for requests that wait for one. */
	action_changes: Generated<number>;
	/** When the lease ends unless it is renewed. Null until it is active, unless it has a heartbeat. */
	expires_at: string | null;
	/** Its place in the order of requests: the lowest is first. */
	rank: Generated<number>;
	/** The offset of the next console byte. */
	console_end: Generated<number>;
	/** The last change of the console that the agent has reported; null before the first. */
	console_change: number | null;
	/** Why and since when the console is disconnected. */
	console_message: string | null;
	console_lost_at: string | null;
	/** Before this offset, output is missing, and for how many milliseconds it was not read in all. */
	console_gap_offset: number | null;
	console_gap_ms: number | null;
	/** How often the agent was asked for all output until then, and how often it has sent it. */
	console_sync: Generated<number>;
	console_synced: Generated<number>;
	/** Whose debugger halts the processor of the board: an email address; null while it runs. */
	halted_by: string | null;
	input_end: Generated<number>;
	/** Up to where the agent has written the input to the board. */
	input_taken: Generated<number>;
	/** Read by replicas of earlier versions, which leave a lease alone that has 1. */
	summed: Generated<number>;
}
export type LeaseRow = Selectable<LeaseTable>;

export interface LeaseActionRow extends z.output<typeof leaseAction> {
	lease_id: string;
	position: number;
	url: string | null;
	file_id: string | null;
	flash_offset: string | null;
}

/** What the account that has verified an address may do with the lease of another. */
interface LeaseShareRow extends z.output<typeof leaseShare> {
	lease_id: string;
}

/** A failure of a lease that has a board, with the agent of the board at that time. */
export interface FailureRow {
	id: string;
	created_at: string;
	cause:
		| 'agent_lost'
		| 'agent_failed'
		| 'download_failed'
		| 'prepare_timeout'
		| (typeof boardFailures)[number]
		| `${(typeof boardActions)[number]}_failed`;
	lease_id: string;
	board_id: string;
	agent_id: string | null;
}

/** Firmware: uploaded for a lease, or downloaded once for a base image. */
export interface FileRow extends z.output<typeof firmwareFile> {
	lease_id: string | null;
	url: string | null;
	/** The account of an upload; the file itself if it was downloaded. */
	owner: string;
	created_at: string;
}

/** The bytes of firmware, stored once for all equal files of an owner. */
interface FileContentRow {
	owner: string;
	sha256: string;
	data: Uint8Array;
}

/** A base image that a replica is downloading, until its claim expires. */
interface ImageDownloadRow {
	url: string;
	expires_at: string;
}

/** Console output and input, in chunks. */
export interface ConsoleRow {
	lease_id: string;
	direction: 'output' | 'input';
	offset: number;
	data: Uint8Array;
	/** What the writer of the input has named it. */
	piece: string | null;
	/** When the service stored it, in milliseconds since 1970. */
	stored_at: number;
}

/** The pins of the board of a live lease, under its fence. */
interface LeasePinsTable {
	lease_id: string;
	fence: number;
	/** Until when the agent sends samples, because somebody looks. */
	watched_until: Generated<string>;
	/** The last sample, as JSON, and when it was stored. */
	sample: string | null;
	sampled_at: string | null;
	/** The voltages by which pins are driven from outside, as JSON. */
	driven: Generated<string>;
}

/** Bytes between a user of a lease and a port of its board. */
export interface ChannelRow {
	id: string;
	lease_id: string;
	fence: number;
	kind: (typeof channelKinds)[number];
	/** The name of a serial port; null for that of the console. */
	port: string | null;
	/** Who uses it, by which key or session. */
	account_id: string;
	key_id: string | null;
	session_id: string | null;
	/** The SHA-256 of the tickets that are not used yet, of the user and of the agent. */
	ticket: string | null;
	agent_ticket: string | null;
	/** The replica that passes its bytes on, and where the others reach that. */
	home: string | null;
	home_url: string | null;
	expires_at: string;
}

export interface BaseImageRow extends Omit<z.output<typeof baseImage>, 'enabled' | 'sha256'> {
	/** With the SHA-256 that the image must have, as `#sha256=`, if one is required. */
	url: string;
	enabled: number;
}

export interface CreditEntryRow {
	id: string;
	account_id: string;
	amount: number;
	reason: 'top_up' | 'grant' | 'lease';
	/** Names the payment or the grant; the same one is never booked twice. */
	reference: string;
	created_at: string;
}

/** An entry of the activity log. It outlives what it is about. */
export interface ActivityRow
	extends Omit<z.output<typeof activityEntry>, 'account_email' | 'actor_email' | 'details'> {
	details: string;
	/** Repeats with the same text are counted in one entry. */
	repeat_key: string | null;
}

interface IdempotencyRow {
	account_id: string;
	idempotency_key: string;
	request_hash: string;
	resource_id: string;
	created_at: string;
}

export interface Schema {
	accounts: AccountTable;
	credentials: CredentialRow;
	sessions: SessionRow;
	known_devices: KnownDeviceRow;
	two_factor: TwoFactorRow;
	recovery_codes: RecoveryCodeRow;
	account_links: AccountLinkRow;
	api_keys: ApiKeyTable;
	boards: BoardTable;
	base_images: BaseImageRow;
	credit_entries: CreditEntryRow;
	idempotency: IdempotencyRow;
	service_secrets: { name: string; value: string };
	service_time: { id: number; time: number; wall: number; changes: number };
	/** Count the transactions that have changed what records of boards are made of. */
	board_changes: { counter: string; value: number };
	/** Count the changes of what lists of leases show, by account and by queue. */
	lease_changes: { name: string; counter: string; value: number };
	agents: AgentTable;
	leases: LeaseTable;
	lease_actions: LeaseActionRow;
	lease_shares: LeaseShareRow;
	failures: FailureRow;
	files: FileRow;
	file_contents: FileContentRow;
	image_downloads: ImageDownloadRow;
	console_chunks: ConsoleRow;
	lease_pins: LeasePinsTable;
	channels: ChannelRow;
	activity: ActivityRow;
}

/** A row of an account, which has no rows of other accounts. */
export interface Owned {
	accountId: string;
	id: string;
}

/** The tables, or an open transaction on them. */
export type Db = Kysely<Schema>;
