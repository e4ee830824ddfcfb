// The scenarios, and the outcome that each must have through every channel.

/** Each scenario and its outcome: what was done, or the error code. */
export const scenarios = {
	'Log in or use a key': 'logged in',
	'Boards by type and status': 'brd_esp32-s3-01 brd_esp32-s3-03',
	'Create a key that works': 'created',
	'List keys': 'listed',
	'Use a key after it was revoked': 'api_key_revoked',
	'Use an expired key': 'api_key_expired',
	'Use an unknown key': 'api_key_invalid',
	'Use no credentials': 'credentials_missing',
	'Create a base image': 'created',
	'List base images': 'listed',
	'Edit a base image': 'edited',
	'Delete a base image': 'deleted',
	'Replace the token of an agent': 'replaced',
	'Lease, flash, expect and release': 'released',
	'Lease two boards together and release them': 'released',
	'Lease a board by a tag that none has': 'board_tag_not_found',
	'Lease a board without enough credits': 'credits_exhausted',
	'Create a key on the free tier': 'paid_tier_required',
	'Create a base image without the admin role': 'admin_required',
	'Lease a board when none is available': 'no_board_available',
	'Send too many requests': 'rate_limited',
} as const;

export type Scenario = keyof typeof scenarios;

/** How a channel carries out a scenario, or why it cannot. */
type Cell = ((world: World) => Promise<string>) | { missing: string };

export type Channel = Record<Scenario, Cell>;

/** A service on one database, and what its users have. */
export interface World {
	baseUrl: string;
	/** The service without a socket, at `http://localhost`, the origin of the pages. */
	fetch(input: string, init?: RequestInit): Promise<Response>;
	login: { email: string; password: string };
	adminKey: string;
	freeKey: string;
	expiredKey: string;
	unknownKey: string;
	/** The ID of a board that costs credits. */
	pricedBoard: string;
	/** Whether the service accepts the key: `works`, or the error code. */
	tryKey(key: string): Promise<string>;
	/** The same world with a limit of two requests per minute. */
	strict(): Promise<World>;
}

/** The sample board that is never free. */
export const busyBoard = 'brd_esp32-s3-02';
