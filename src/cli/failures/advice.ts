// What to do about an error, by its code: in the words of the command line, not the library's.

const hints: ReadonlyMap<string, string> = new Map([
	[
		'base_url_missing',
		'Set SERVICE_BASE_URL or pass --base-url. A service to try: npx board-access-service start --demo',
	],
	['insecure_http', 'Use https, or pass --allow-insecure-http if the network is your own.'],
	['paid_tier_required', 'Top up credits in the web UI; keys that exist go on working.'],
	['admin_required', 'Use the key of an account with the role admin.'],
	['not_found', 'The path of the address in SERVICE_BASE_URL or --base-url may be wrong.'],
	[
		'port_blocked',
		'The port belongs to another protocol: correct the address, or let the service listen on another port.',
	],
]);

export function hintFor(code: string) {
	return hints.get(code);
}
