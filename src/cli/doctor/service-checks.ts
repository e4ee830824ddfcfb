// The checks that send requests: host name, TLS, the service itself, clock, role, tier.
import { type BoardAccess, isApiError, isBoardAccessError, responseOf } from 'board-access';
import { adviceFor } from '../failures/advice.ts';
import { exitCodes } from '../failures/exit-codes.ts';
import { failureOf } from '../failures/failure.ts';
import { reasonOf } from '../terminal/input.ts';
import type { Network } from '../terminal/io.ts';
import { type Finding, findingsOf } from './finding.ts';

/** Whether the host name resolves. */
export async function checkName({ hostname }: URL, network: Network): Promise<Finding> {
	const { ok, problem } = findingsOf('name');
	const host = hostname.replace(/^\[|\]$/g, '');
	try {
		const addresses = await network.lookup(host);
		return ok(`${host} resolves to ${addresses.join(', ')}`);
	} catch (error) {
		return problem({
			message: `${host} does not resolve: ${reasonOf(error)}`,
			hint: 'Check the address for typos.',
			exitCode: exitCodes.network,
		});
	}
}

/** Whether a TLS connection succeeds, and when the certificate expires. */
export async function checkTls(url: URL, network: Network): Promise<Finding> {
	const { ok, problem } = findingsOf('tls');
	if (url.protocol === 'http:') return ok('Not used: the address is plain http');
	try {
		const { protocol, validTo } = await network.secure(url.hostname, Number(url.port || 443));
		return ok(`${protocol}; the certificate is valid until ${validTo}`);
	} catch (error) {
		const reason = reasonOf(error);
		const hint =
			reason === 'ERR_SSL_WRONG_VERSION_NUMBER'
				? 'The service uses plain http on this port.'
				: 'Behind a proxy, Node.js needs the certificate of the proxy: NODE_EXTRA_CA_CERTS.';
		return problem({ message: `TLS failed: ${reason}`, hint, exitCode: exitCodes.network });
	}
}

/** The response to the simplest request there is. */
interface Reply {
	findings: Finding[];
	headers: Headers | undefined;
	accepted: boolean;
}

/** The client with the user's settings. */
export interface Caller {
	client: BoardAccess;
	hasKey: boolean;
	signal: AbortSignal | undefined;
}

// Other commands advise to run the doctor here.
const unreached = 'Check that the service is running, and check the address and the proxy.';

/** Whether the service responds and accepts the key. */
export async function checkService({ client, hasKey, signal }: Caller): Promise<Reply> {
	const { ok, problem } = findingsOf('service');
	try {
		const page = await client.boards.list({ pageSize: 1 }, { signal }).pages().next();
		const headers = page.value ? responseOf(page.value)?.headers : undefined;
		return { findings: [ok('Responds and accepts the key')], headers, accepted: true };
	} catch (error) {
		const headers = isApiError(error) ? error.headers : undefined;
		if (!hasKey && isApiError(error) && error.status === 401) {
			return { findings: [ok('Responds and asks for a key')], headers, accepted: false };
		}
		const failure = await failureOf(error);
		const isUnreached = failure.exitCode === exitCodes.network;
		const hint = adviceFor(failure.code) ?? (isUnreached ? unreached : failure.hint);
		return { findings: [problem({ ...failure, hint })], headers, accepted: false };
	}
}

/** How far the clocks differ. */
export function checkClock(headers: Headers | undefined, now: number): Finding {
	const { ok, unknown, warning } = findingsOf('clock');
	const theirs = Date.parse(headers?.get('date') ?? '');
	if (Number.isNaN(theirs)) return unknown('The service does not send its time');
	const seconds = Math.round((now - theirs) / 1000);
	if (Math.abs(seconds) <= 60) return ok('Matches the clock of the service');
	return warning(
		`This machine is ${Math.abs(seconds)} seconds ${seconds > 0 ? 'ahead of' : 'behind'} the service`,
		'Set the clock: TLS and retries depend on it.',
	);
}

/** Whether the account is an admin. The empty entry is invalid, so nothing is created. */
export async function checkRole({ client, signal }: Caller): Promise<Finding> {
	const { ok, unknown } = findingsOf('role');
	try {
		await client.request({ method: 'POST', path: '/v1/admin/base-images', json: {}, signal });
	} catch (error) {
		if (isApiError(error) && error.status === 403) return ok('Not an admin');
		if (isApiError(error) && (error.status === 400 || error.status === 422)) return ok('Admin');
	}
	return unknown('The service does not report the role');
}

/** Whether the account may create keys. Only the attempt shows it: the API has no other way. */
export async function checkTier({ client, signal }: Caller): Promise<Finding> {
	const { ok, unknown, warning, problem } = findingsOf('tier');
	try {
		const { id } = await client.keys.create({ label: 'board-access doctor' }, { signal });
		await client.keys.revoke(id);
		return ok('Paid: a key was created and revoked again');
	} catch (error) {
		if (isApiError(error) && error.status === 402) {
			return warning(`Free: ${error.message}`, error.hint);
		}
		if (isBoardAccessError(error)) return problem(await failureOf(error));
		return unknown('Could not be determined');
	}
}
