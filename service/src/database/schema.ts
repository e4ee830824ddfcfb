// The tables as both databases hold them: text, whole numbers and nothing else.
// Timestamps are RFC 3339 text with milliseconds and Z, so they sort as they read.
import type { baseImageActions, boardStatuses } from 'board-access-contract';

export interface AccountRow {
	id: string;
	email: string;
	role: 'user' | 'admin';
	disabled_at: string | null;
	created_at: string;
	updated_at: string;
}

interface CredentialRow {
	id: string;
	account_id: string;
	provider: string;
	issuer: string;
	subject: string;
	password_hash: string;
	created_at: string;
	updated_at: string;
}

interface SessionRow {
	id: string;
	account_id: string;
	token_hash: string;
	ip_address: string;
	user_agent: string;
	expires_at: string;
	created_at: string;
	updated_at: string;
}

interface ApiKeyRow {
	id: string;
	account_id: string;
	hash: string;
	hint: string;
	label: string | null;
	created_at: string;
	last_used_at: string | null;
	revoked_at: string | null;
}

export interface BoardRow {
	id: string;
	name: string;
	board_type: string;
	status: (typeof boardStatuses)[number];
	description: string;
	/** A JSON object of strings. */
	tags: string;
	created_at: string;
	updated_at: string;
}

export interface BaseImageRow {
	id: string;
	action: (typeof baseImageActions)[number];
	board_type: string;
	name: string;
	description: string;
	url: string;
	flash_offset: string;
	position: number;
	/** 1 or 0. */
	enabled: number;
	created_at: string;
}

export interface CreditEntryRow {
	id: string;
	account_id: string;
	amount: number;
	reason: 'top_up' | 'grant';
	/** Names the payment or the grant; the same one is never booked twice. */
	reference: string;
	created_at: string;
}

export interface IdempotencyRow {
	account_id: string;
	idempotency_key: string;
	request_hash: string;
	resource_id: string | null;
	created_at: string;
}

export interface Schema {
	accounts: AccountRow;
	credentials: CredentialRow;
	sessions: SessionRow;
	api_keys: ApiKeyRow;
	boards: BoardRow;
	base_images: BaseImageRow;
	credit_entries: CreditEntryRow;
	idempotency: IdempotencyRow;
	service_secrets: { name: string; value: string };
}
