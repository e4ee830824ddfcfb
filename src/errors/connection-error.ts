// The error of a request without a response, on any runtime.
import type { PreparedRequest } from '../http/fetch.ts';
import { fieldsOf } from '../records/json.ts';
import type { ConnectionErrorCode } from './details.ts';
import { ConnectionError } from './errors.ts';
import { isErrorLike, redactedCause } from './redact.ts';

const refused = ['connection_refused', 'Nothing is listening at this address'] as const;
const unreachable = ['unreachable', 'The host cannot be reached'] as const;

// Node, Bun and Deno use different messages for the same errors.
const notSentErrors: Readonly<Record<string, readonly [ConnectionErrorCode, string]>> = {
	ECONNREFUSED: refused,
	ConnectionRefused: refused,
	ENOTFOUND: ['name_not_found', 'The host name is not known'],
	EAI_AGAIN: ['name_not_found', 'The host name could not be looked up'],
	EHOSTUNREACH: unreachable,
	ENETUNREACH: unreachable,
	'bad port': ['port_blocked', 'fetch refuses to connect to this port'],
	UND_ERR_CONNECT_TIMEOUT: ['connect_timeout', 'The host does not respond'],
};

const tlsCode =
	/^(EPROTO|ERR_TLS|ERR_SSL|CERT_|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_|HOSTNAME_MISMATCH)/;

export function connectionError(error: unknown, request: PreparedRequest) {
	const url = new URL(request.url);
	const { host } = url;
	const cause = redactedCause(error, request.redact);
	const code = codeOf(error);
	const known = notSentErrors[code];
	if (known) {
		const proxy = proxyIn(reasonOf(cause), url);
		const where = proxy ? `${proxy}, the proxy for ${host}` : host;
		return new ConnectionError(`${known[1]}: ${where}`, { code: known[0], cause });
	}
	if (tlsCode.test(code)) {
		return new ConnectionError(`No secure connection to ${host}: ${request.redact(code)}`, {
			code: 'tls_failed',
			hint: 'If the certificate comes from a private authority, set NODE_EXTRA_CA_CERTS (Deno: DENO_CERT) to its file before the process starts. Otherwise check that this port serves https.',
			cause,
		});
	}
	if (!request.fetch && /^(UND_ERR_INVALID_ARG|ERR_INVALID_)/.test(code)) {
		return notSent(error, request);
	}
	const text = reasonOf(cause);
	return new ConnectionError(`The connection to ${host} was lost${text && `: ${text}`}`, {
		code: 'connection_lost',
		cause,
		outcome: 'unknown',
	});
}

/** The request was invalid, or the caller's fetch failed. */
export function notSent(error: unknown, { redact }: PreparedRequest) {
	const cause = redactedCause(error, redact);
	const text = reasonOf(cause);
	return new ConnectionError(`The request could not be sent${text && `: ${text}`}`, {
		code: 'request_not_sent',
		hint: 'Check the options fetch and fetchOptions.',
		cause,
	});
}

function codeOf(error: unknown): string {
	if (!isErrorLike(error)) return '';
	const { code } = fieldsOf(error);
	if (typeof code === 'string') return code;
	if (/client error \(Connect\).*dns/.test(error.message)) return 'ENOTFOUND';
	if (/client error \(Connect\).*refused/.test(error.message)) return 'ECONNREFUSED';
	if (/invalid peer certificate/.test(error.message)) return 'CERT_INVALID';
	if (error.message === 'bad port') return error.message;
	return codeOf(error.cause);
}

/** The host and port in a message of Node, if they are not those of the service. */
function proxyIn(message: string, { hostname, port, protocol }: URL) {
	const [, host, at] =
		/(?: E[A-Z_]+|address(?:es)?:) ([^\s,]+?)(?::(\d+))?(?=[\s,]|$)/.exec(message) ?? [];
	const own = port || (protocol === 'https:' ? '443' : '80');
	if (!host || (at ? at === own : host === hostname)) return undefined;
	return at ? `${host}:${at}` : host;
}

/** The message of the innermost error. */
function reasonOf(error: Error | undefined): string {
	return isErrorLike(error?.cause) ? reasonOf(error.cause) : (error?.message ?? '');
}
