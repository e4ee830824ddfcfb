// Advice for an error, by its code, in terms of the command line rather than of the library.

const advice: ReadonlyMap<string, string> = new Map([
	['base_url_missing', 'Set SERVICE_BASE_URL, pass --base-url, or run "board-access login".'],
	['insecure_http', 'Use https, or pass --allow-insecure-http if you trust the network.'],
	['paid_tier_required', 'Top up credits in the web UI. Existing keys keep working.'],
	['credits_exhausted', 'Top up credits in the web UI.'],
	['admin_required', 'Use the API key of an account with the admin role.'],
	['board_not_found', 'Pass the ID that "board-access boards list" shows, not the name.'],
	['not_found', 'Check the path of the address in SERVICE_BASE_URL or --base-url.'],
	[
		'port_blocked',
		'The port is reserved for another protocol. Correct the address, or run the service on another port.',
	],
]);

export function adviceFor(code: string) {
	return advice.get(code);
}
