// The checks that send requests: host name, TLS, the service itself, clock, role, tier.
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { type AccountRecord, type BoardAccess, isApiError, responseOf } from 'board-access';
import { reasonOf } from '../../ci/file-reason.ts';
import { adviceFor } from '../failures/advice.ts';
import { exitCodes } from '../failures/exit-codes.ts';
import { failureOf } from '../failures/failure.ts';
import type { Network } from '../terminal/io.ts';
import type { Findings } from './findings.ts';

export const network: Network = {
	async lookup(host) {
		const found = await lookup(host, { all: true });
		return found.map(({ address }) => address);
	},
	async secure(host, port) {
		const signal = AbortSignal.timeout(5_000);
		// Imported here, so that other commands start sooner.
		const { connect } = await import('node:tls');
		const socket = connect({ host, port, servername: host });
		try {
			await once(socket, 'secureConnect', { signal });
			const { valid_to: validTo } = socket.getPeerCertificate();
			return { protocol: socket.getProtocol() ?? 'TLS', validTo };
		} finally {
			socket.destroy();
		}
	},
};

export async function checkName(findings: Findings, { hostname }: URL, { lookup }: Network) {
	const host = hostname.replace(/^\[|\]$/g, '');
	try {
		const addresses = await lookup(host);
		findings.ok('name', `${host} resolves to ${addresses.join(', ')}`);
		return true;
	} catch (error) {
		const message = `${host} does not resolve: ${reasonOf(error)}`;
		const hint = 'Check the address for typos.';
		findings.problem('name', { message, hint, exitCode: exitCodes.network });
		return false;
	}
}

export async function checkTls(findings: Findings, url: URL, { secure }: Network) {
	if (url.protocol === 'http:') return findings.ok('tls', 'Not used: the address is plain http');
	try {
		const { protocol, validTo } = await secure(url.hostname, Number(url.port || 443));
		findings.ok('tls', `${protocol}; the certificate is valid until ${validTo}`);
	} catch (error) {
		const reason = reasonOf(error);
		const hint =
			reason === 'ERR_SSL_WRONG_VERSION_NUMBER'
				? 'The service uses plain http on this port.'
				: 'Behind a proxy, Node.js needs the certificate of the proxy: NODE_EXTRA_CA_CERTS.';
		const { network: exitCode } = exitCodes;
		findings.problem('tls', { message: `TLS failed: ${reason}`, hint, exitCode });
	}
}

export interface ServiceCheck {
	client: BoardAccess;
	hasKey: boolean;
	signal: AbortSignal | undefined;
}

const unreached = 'Check that the service is running, and check the address and the proxy.';

export async function checkService(findings: Findings, { client, hasKey, signal }: ServiceCheck) {
	try {
		const page = await client.boards.list({ pageSize: 1 }, { signal }).pages().next();
		findings.ok('service', 'Responds and accepts the key');
		checkClock(findings, page.value ? responseOf(page.value)?.headers : undefined);
		return true;
	} catch (error) {
		if (!hasKey && isApiError(error) && error.status === 401) {
			findings.ok('service', 'Responds and asks for a key');
		} else {
			const failure = failureOf(error);
			const isUnreached = failure.exitCode === exitCodes.network;
			const hint = adviceFor(failure.code) ?? (isUnreached ? unreached : failure.hint);
			findings.problem('service', { ...failure, hint });
		}
		checkClock(findings, isApiError(error) ? error.headers : undefined);
		return false;
	}
}

function checkClock(findings: Findings, headers: Headers | undefined) {
	const theirs = Date.parse(headers?.get('date') ?? '');
	if (Number.isNaN(theirs)) return findings.unknown('clock', 'The service does not send its time');
	const seconds = Math.round((Date.now() - theirs) / 1000);
	if (Math.abs(seconds) <= 60) return findings.ok('clock', 'Matches the clock of the service');
	const where = seconds > 0 ? 'ahead of' : 'behind';
	findings.warning(
		'clock',
		`This machine is ${Math.abs(seconds)} seconds ${where} the service`,
		'Set the clock: TLS and retries depend on it.',
	);
}

export async function checkAccount(findings: Findings, { client, signal }: ServiceCheck) {
	const unknown: AccountRecord = { id: '' };
	const { role, tier } = await client.account.get({ signal }).catch(() => unknown);
	if (role) findings.ok('role', role === 'admin' ? 'Admin' : 'Not an admin');
	else findings.unknown('role', 'The service does not report the role');
	const hint = 'Top up credits on the credits page of the web UI.';
	if (tier === 'free') findings.warning('tier', 'Free: the account cannot create API keys', hint);
	else if (tier) findings.ok('tier', tier === 'paid' ? 'Paid' : tier);
	else findings.unknown('tier', 'The service does not report the tier');
}
