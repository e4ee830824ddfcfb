// The account of the tests of rules: no database, no clock.
import type { BoardRow } from '../../src/database/schema.ts';
import { type NewLease, requestedLease } from '../../src/leases/rules/request.ts';
import { type AccountState, withLease } from '../../src/leases/rules/state.ts';

export const limits = {
	leaseMaxMinutes: 60,
	leasePreparationSeconds: 900,
	leasesPerAccount: 4,
	webUrl: 'https://example.com',
};
const start = Date.parse('2026-01-01T10:00:00Z');
const capable = JSON.stringify({ actions: ['reset', 'power_cycle'], console: true });

/** Board 0 has no agent and costs nothing; the agent of the others can do two steps. */
export const board = (index: number) =>
	({
		id: `brd_${index}`,
		name: `board ${index}`,
		board_type: 'uno',
		status: 'available',
		description: '',
		tags: '{}',
		created_at: '',
		updated_at: '',
		base_status: 'available',
		status_reason: '',
		status_since: '',
		credits_per_minute: index,
		agent_id: index > 0 ? 'agt_1' : null,
		capabilities: index > 0 ? capable : null,
		fence: 0,
		failed_preparations: 0,
		resting_until: null,
		rest_reason: null,
		lease_id: null,
		lease_account_id: null,
		name_key: '',
		words: '',
	}) as BoardRow; // rules read no other column

/** An account with 200 credits, and three free boards. */
export const initial: AccountState = {
	time: start,
	account: {
		id: 'acc_1',
		disabled_at: null,
		balance: 200,
		held_credits: 0,
	},
	leases: [],
	others: [],
	actions: [],
	boards: [0, 1, 2].map(board),
	entries: [],
	failures: [],
	withoutConsole: [],
};

/** The state with a request in the queue; several leases are a group. */
export function request(state: AccountState, ...wanted: NewLease[]) {
	const leases = wanted.map((one) => requestedLease(state, one, wanted.length));
	return leases.reduce(withLease, state);
}

/** A request for any board of the type, by somebody at a page. */
export function asking(more: Partial<NewLease> = {}): NewLease {
	return {
		id: 'lse_1',
		keyId: null,
		board_type: 'uno',
		tags: {},
		group_id: null,
		role: null,
		same_tag: null,
		requires_agent: false,
		maxCreditsPerMinute: 2,
		label: '',
		minutes: 5,
		wait_seconds: 600,
		heartbeat: false,
		...more,
	};
}

export function later(state: AccountState, seconds: number): AccountState {
	return { ...state, time: state.time + seconds * 1000 };
}
