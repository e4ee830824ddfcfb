// Advice in terms of the command line, by the code of the error or the reason for which the lease ended.

const waitLonger =
	'Wait longer for a board in use with --wait, for example --wait 10m. One that is offline or in maintenance needs the operator of the service; choose another board until then.';

const leaseAgain =
	'Lease a board again with "board-access leases create", and pass the ID of that lease.';

const advice: ReadonlyMap<string, string> = new Map(
	Object.entries({
		base_url_missing: 'Set SERVICE_BASE_URL, pass --base-url, or run "board-access login".',
		insecure_http: 'Use https, or pass --allow-insecure-http if you trust the network.',
		paid_tier_required: 'Top up credits in the web UI. Existing keys keep working.',
		credits_exhausted: 'Top up credits in the web UI.',
		admin_required: 'Use the API key of an account with the admin role.',
		board_not_found: 'Pass the ID that "board-access boards list" shows, not the name.',
		lease_not_found: '"board-access leases list" shows the leases of the account.',
		not_found: 'Check the path of the address in SERVICE_BASE_URL or --base-url.',
		port_blocked:
			'The port is reserved for another protocol. Correct the address, or run the service on another port.',
		board_has_no_agent: '"board-access boards list --has-agent" lists the boards with an agent.',
		no_board_available: waitLonger,
		lease_limit:
			'Wait longer for one of them to end with --wait, for example --wait 10m, or release one with "board-access leases release".',
		action_failed:
			'If the power of the board is off, switch it on with "board-access power <id> on". If only this firmware fails, check that it is built for this type of board; otherwise tell the operator of the service.',
		console_disconnected:
			'What the firmware printed is not known. Check the cable of the board and its agent, or tell the operator of the service; then run the command again.',
		console_interrupted:
			'What the firmware printed is not known. Run the command again. Output beyond 64,000 bytes a second is dropped.',
		agent_lost: `${leaseAgain} If it happens again, tell the operator of the service.`,
		expired: leaseAgain,
		released: leaseAgain,
		prepare_failed:
			'The board is not ready for any firmware. Tell the operator of the service. To run the command again helps only if there is another board.',
		admin: 'Ask an administrator of the service why, or lease a board later.',
	}),
);

/** For `run`, which leases a board by itself. */
const adviceForRun: ReadonlyMap<string, string> = new Map(
	Object.entries({
		action_failed:
			'Run the command again. If only this firmware fails, check that it is built for this type of board; otherwise tell the operator of the service.',
		agent_lost:
			'The firmware is not to blame. Run the command again. If it happens again, tell the operator of the service.',
		expired:
			'The lease could not be renewed in time. Check the connection to the service, and run the command again.',
		released: 'The lease was released while the command ran. Run the command again.',
	}),
);

export function adviceFor(code: string, leasesItself = false) {
	return (leasesItself && adviceForRun.get(code)) || advice.get(code);
}
