// What the doctor finds out by asking: name, TLS, the service itself, clock, role, tier.
import { type BoardAccess, isApiError, isBoardAccessError, responseOf } from 'board-access';
import { hintFor } from '../failures/advice.ts';
import { exitCodes } from '../failures/exit-codes.ts';
import { failureOf } from '../failures/failure.ts';
import { reasonOf } from '../terminal/input.ts';
import type { Network } from '../terminal/io.ts';
import { type Finding, findingsOf } from './finding.ts';

/** Whether the name of the host is known. */
export async function checkName({ hostname }: URL, network: Network): Promise<Finding> {
	const { ok, fault } = findingsOf('name');
	const host = hostname.replace(/^\[|\]$/g, '');
	try {
		const addresses = await network.lookup(host);
		return ok(`${host} is ${addresses.join(', ')}`);
	} catch (error) {
		const message = `${host} is not known: ${reasonOf(error)}`;
		return fault({
			message,
			hint: 'Look at the address for a typing error.',
			exitCode: exitCodes.network,
		});
	}
}

/** Whether a TLS connection can be made, and how long the certificate holds. */
export async function checkTls(url: URL, network: Network): Promise<Finding> {
	const { ok, fault } = findingsOf('tls');
	if (url.protocol === 'http:') return ok('Plain http: there is none');
	try {
		const { protocol, validTo } = await network.secure(url.hostname, Number(url.port || 443));
		return ok(`${protocol}; the certificate holds until ${validTo}`);
	} catch (error) {
		const reason = reasonOf(error);
		const hint =
			reason === 'ERR_SSL_WRONG_VERSION_NUMBER'
				? 'The service speaks plain http there.'
				: 'Behind a proxy, Node needs its certificate: NODE_EXTRA_CA_CERTS.';
		return fault({ message: `No TLS connection: ${reason}`, hint, exitCode: exitCodes.network });
	}
}

/** What the service says to the simplest call there is. */
interface Answered {
	findings: Finding[];
	headers: Headers | undefined;
	accepted: boolean;
}

/** Who asks, and until when. */
export interface Caller {
	client: BoardAccess;
	hasKey: boolean;
	signal: AbortSignal | undefined;
}

// What other commands say here leads to the doctor.
const unreached =
	'Find out whether the service runs, and whether the address and the proxy are right.';

/** Whether the service answers, and takes the key. */
export async function checkService({ client, hasKey, signal }: Caller): Promise<Answered> {
	const { ok, fault } = findingsOf('service');
	try {
		const page = await client.boards.list({ pageSize: 1 }, { signal }).pages().next();
		const headers = page.value ? responseOf(page.value)?.headers : undefined;
		return { findings: [ok('It answers and takes the key')], headers, accepted: true };
	} catch (error) {
		const headers = isApiError(error) ? error.headers : undefined;
		if (!hasKey && isApiError(error) && error.status === 401) {
			return { findings: [ok('It answers, and asks for a key')], headers, accepted: false };
		}
		const failure = await failureOf(error);
		const isUnreached = failure.exitCode === exitCodes.network;
		const hint = hintFor(failure.code) ?? (isUnreached ? unreached : failure.hint);
		return { findings: [fault({ ...failure, hint })], headers, accepted: false };
	}
}

/** How far the clocks are apart. */
export function checkClock(headers: Headers | undefined, now: number): Finding {
	const { ok, unknown, warning } = findingsOf('clock');
	const theirs = Date.parse(headers?.get('date') ?? '');
	if (Number.isNaN(theirs)) return unknown('The service does not say what time it is');
	const seconds = Math.round((now - theirs) / 1000);
	if (Math.abs(seconds) <= 60) return ok('It agrees with the service');
	return warning(
		`This machine is ${Math.abs(seconds)} seconds ${seconds > 0 ? 'ahead of' : 'behind'} the service`,
		'Set the clock: TLS and retries rely on it.',
	);
}

/** Whether the account is an admin. An entry without an action is refused for every admin. */
export async function checkRole({ client, signal }: Caller): Promise<Finding> {
	const { ok, unknown } = findingsOf('role');
	try {
		await client.request({ method: 'POST', path: '/v1/admin/base-images', json: {}, signal });
	} catch (error) {
		if (isApiError(error) && error.status === 403) return ok('Not an admin');
		if (isApiError(error) && (error.status === 400 || error.status === 422)) return ok('An admin');
	}
	return unknown('The service does not tell');
}

/** Whether keys can be created, by creating one: nothing else in the API tells. */
export async function checkTier({ client, signal }: Caller): Promise<Finding> {
	const { ok, unknown, warning, fault } = findingsOf('tier');
	try {
		const { id } = await client.keys.create({ label: 'board-access doctor' }, { signal });
		await client.keys.revoke(id);
		return ok('Paid: a key was created and revoked again');
	} catch (error) {
		if (isApiError(error) && error.status === 402) {
			return warning(`Free: ${error.message}`, error.hint);
		}
		if (isBoardAccessError(error)) return fault(await failureOf(error));
		return unknown('It could not be found out');
	}
}
