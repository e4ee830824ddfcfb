// Every error code: what it means, and what to do.
import { type ErrorCode, errorStatuses } from 'board-access-contract';
import { Table } from '../elements/list.tsx';
import { withCode } from '../elements/text.tsx';

export function errorReference() {
	return (
		<section>
			<h2 id="errors">Errors</h2>
			<p>
				The body of every error is{' '}
				<code>{'{"error": {"code", "message", "hint", "param", "errors", "request_id"}}'}</code>.
				Branch on <code>code</code>: messages can change. With{' '}
				<code>Accept: application/problem+json</code> the body follows RFC 9457.
			</p>
			<Table
				caption="Error codes"
				rows={Object.entries(errorHelp)}
				columns={[
					{
						label: 'Code',
						cell: ([code]) => <code id={`error-${code}`}>{code}</code>,
						class: 'main-cell',
					},
					// The keys are the codes.
					{ label: 'Status', cell: ([code]) => errorStatuses[code as ErrorCode] },
					{
						label: 'What it means, and what to do',
						cell: ([, help]) => withCode(help),
						class: 'main-cell',
					},
				]}
			/>
		</section>
	);
}

const errorHelp: Record<ErrorCode, string> = {
	invalid_request:
		'A field or parameter is missing, unknown or not valid. Fix everything that `errors` lists.',
	invalid_json: 'The body is not valid JSON. Check quotes and commas.',
	secret_in_path: 'The path contains a full API key. Use the identifier of the key, and revoke it.',
	invalid_firmware: 'The file is damaged or does not fit the board. The message says where.',
	credentials_missing: 'The request has no credentials. Send `Authorization: Bearer key_…`.',
	api_key_malformed: 'The text is not an API key: key_ and 48 hexadecimal characters.',
	api_key_invalid: 'This service did not issue the key. Check the key and the base URL.',
	api_key_revoked: 'The key was revoked, or its account was disabled. Create another key.',
	api_key_expired: 'The key has expired. Create another key.',
	ticket_invalid:
		'The ticket of a channel was used or is older than 30 seconds. Open the channel again for another one.',
	channel_not_found: 'The channel has ended, or belongs to another account. Open a new one.',
	channel_elsewhere:
		'Another replica of the service has the channel, and REPLICA_URL does not say where. Tell the operator.',
	agent_token_invalid: 'The agent token is unknown or was revoked. Ask an administrator for one.',
	paid_tier_required: 'Creating keys needs the paid tier. Top up credits, then retry.',
	credits_exhausted: 'The balance does not cover the lease. Top up credits or ask for less time.',
	admin_required: 'The request needs the administrator role.',
	origin_refused:
		'A request with a session cookie came from another site. Programs use an API key instead.',
	scope_insufficient: 'The scope of the key does not allow this. Use a key with the full scope.',
	access_insufficient:
		'The lease is shared with you to look, or you look at it as an administrator. Its holder can let you type; the rest is for its holder.',
	confirmation_required:
		'A session needs the password or a code again, at least every 15 minutes. Log in again, or use an API key.',
	two_factor_required:
		'Administrators need two-factor authentication here. Set it up on the account page.',
	not_found: 'There is nothing at this path. Check it for typos.',
	key_not_found: 'The account has no key with this identifier. List the keys to find it.',
	board_not_found: 'There is no board with this identifier. List the boards to find it.',
	board_tag_not_found:
		'No board of the type has this tag, or all of the tags. The list of boards shows the tags.',
	board_type_not_found: 'No board has this type. List the boards to see the types.',
	base_image_not_found: 'There is no base image with this identifier.',
	lease_not_found: 'The account has no lease with this identifier, and none is shared with it.',
	action_not_found: 'The lease has no action with this identifier.',
	file_not_found: 'The lease has no file with this identifier. Upload the firmware again.',
	agent_not_found: 'There is no agent with this identifier.',
	method_not_allowed:
		'The path does not accept this method. The `Allow` header lists those it does.',
	idempotency_in_progress:
		'The first request with this Idempotency-Key is still running. Retry soon.',
	key_limit: 'The account has reached its limit of live keys. Revoke keys that are not in use.',
	idempotency_delivered:
		'A key was already created with this Idempotency-Key and used. Send another Idempotency-Key.',
	idempotency_conflict:
		'The Idempotency-Key was used for another change of a lease. Send a new one.',
	no_board_available: 'No such board is free for you. Retry later, or set `wait_seconds` to queue.',
	lease_not_active: 'The board is not ready yet. Wait until the lease is active.',
	lease_ended: 'The lease has ended. Create another one.',
	lease_limit:
		'The account has too many live leases, or the lease too many files or actions. The message says which.',
	share_limit: 'The lease is shared with too many addresses, or too many leases with this address.',
	storage_limit:
		'The live leases of the account have too much firmware. Release one: its files are then deleted.',
	board_has_no_agent: 'Nothing is connected to the board, so it has no console and no actions.',
	board_in_use: 'A lease holds the board. End the lease first.',
	fence_outdated: 'For agents: a newer lease has the board. Stop the work on the old one.',
	console_gap:
		'Console bytes before these are missing, or others are already there. Send from the stated offset.',
	console_input_full: 'The board has not taken the earlier input yet. Wait, then send the rest.',
	agent_connected: 'For agents: another agent is connected with the same token. Stop one of them.',
	body_too_large: 'The body is larger than this path accepts.',
	unsupported_media_type: 'Send the content type that this path accepts, usually application/json.',
	idempotency_mismatch: 'The Idempotency-Key was used for another request. Send a new one.',
	rate_limited:
		'Too many requests, or too many that wait for a change. Wait for the number of seconds in `Retry-After`.',
	internal:
		'Something went wrong on our side. Retry; if it persists, report the request identifier.',
	unavailable:
		'The service is restarting or its database is unreachable. Retry after the number of seconds in `Retry-After`.',
};
