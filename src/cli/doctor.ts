// `board-access doctor`: finds out why a command fails. Prints no secret: safe to share.
import {
	type AccountRecord,
	BoardAccess,
	isApiError,
	isBoardAccessError,
	readApiKey,
	responseOf,
} from 'board-access';
import type { Command } from 'commander';
import { version } from '../../package.json';
import { describeFinding, type Finding } from '../contract/printable.ts';
import { adviceFor } from './failures/advice.ts';
import { CliError } from './failures/cli-error.ts';
import { type ExitCode, exitCodes } from './failures/exit-codes.ts';
import { failureOf } from './failures/failure.ts';
import { addCommand, type ServiceOptions } from './options.ts';
import { unsupportedNode } from './runtime.ts';
import { type Found, findBaseUrl, findKey, keyId, readAddress } from './service/credentials.ts';
import type { Io } from './terminal/io.ts';
import { printJson } from './terminal/output.ts';
import { createStyle } from './terminal/style.ts';

export function checkRuntime(findings: Findings, node = process.versions.node) {
	const message = unsupportedNode(node);
	if (message !== undefined) return findings.problem('runtime', { message });
	const platform = `${process.platform} ${process.arch}`;
	findings.add('ok', 'runtime', `board-access ${version}, Node.js ${node}, ${platform}`);
}

/** Returns the key if it is valid. */
async function checkKey(findings: Findings, options: ServiceOptions, io: Io) {
	const found = await findings.attempt('credential', () => findKey(options, io));
	if (found === undefined) return undefined;
	findings.add('ok', 'credential', `${found.source} (${precedence(options, io)})`);
	return checkForm(findings, found);
}

function precedence({ apiKeyFile }: ServiceOptions, { env }: Io) {
	const hasVariable = env.SERVICE_API_KEY !== undefined;
	if (apiKeyFile === undefined) return hasVariable ? 'no option is given' : 'no variable is set';
	return hasVariable ? 'takes precedence over SERVICE_API_KEY' : 'given by an option';
}

async function checkForm(findings: Findings, { text, source }: Found) {
	if (text !== text.trim()) {
		const message = `The key from ${source} has white space around it, most likely a newline`;
		const hint = 'board-access ignores it, but other programs send it and get an error.';
		findings.add('warning', 'key form', message, hint);
	}
	const isSplit = /\S\s+\S/.test(text);
	const hint = isSplit ? 'The key contains white space: a line break, or two values.' : undefined;
	const key = await findings.attempt('key form', async () => readApiKey(text, source), hint);
	if (key) findings.add('ok', 'key form', `Valid; the ID of the key is ${keyId(key)}`);
	return key;
}

/** Returns the address if it is valid. */
async function checkAddress(findings: Findings, options: ServiceOptions, io: Io) {
	return findings.attempt('address', async () => {
		const found = await findBaseUrl(options, io);
		const address = readAddress(found, options);
		findings.add('ok', 'address', `${address.href.replace(/\/$/, '')} from ${found.source}`);
		return address;
	});
}

const proxyNames = ['HTTPS_PROXY', 'HTTP_PROXY', 'ALL_PROXY'];

function checkProxy(findings: Findings, { env }: Io) {
	const names = proxyNames.flatMap((name) => [name, name.toLowerCase()]);
	const set = names.filter((name) => env[name]).join(', ');
	if (set === '') return findings.add('ok', 'proxy', 'No proxy variable is set');
	if (env.NODE_USE_ENV_PROXY === '1' || env.NODE_OPTIONS?.includes('--use-env-proxy')) {
		return findings.add('ok', 'proxy', `Node.js uses ${set}`);
	}
	const hint =
		'Set NODE_USE_ENV_PROXY=1 (Node.js 22.21, 24 and later) if the service is behind the proxy.';
	findings.add('warning', 'proxy', `${set} is set, but Node.js ignores it`, hint);
}

interface ServiceCheck {
	client: BoardAccess;
	hasKey: boolean;
	signal: AbortSignal | undefined;
}

const unreached = 'Check that the service is running, and check the address and the proxy.';

/** Returns whether the service accepts the key. */
async function checkService(findings: Findings, { client, hasKey, signal }: ServiceCheck) {
	try {
		const page = await client.boards.list({ pageSize: 1 }, { signal }).pages().next();
		findings.add('ok', 'service', 'Responds and accepts the key');
		checkClock(findings, page.value ? responseOf(page.value)?.headers : undefined);
		return true;
	} catch (error) {
		if (!hasKey && isApiError(error) && error.status === 401) {
			findings.add('ok', 'service', 'Responds and asks for a key');
		} else {
			const failure = failureOf(error);
			const isUnreached = failure.exitCode === exitCodes.network;
			// Not the advice of other commands, to run the doctor.
			const own = isBoardAccessError(error) ? error.hint : undefined;
			const hint = adviceFor(failure.code) ?? own ?? (isUnreached ? unreached : failure.hint);
			findings.problem('service', { ...failure, hint });
		}
		checkClock(findings, isApiError(error) ? error.headers : undefined);
		return false;
	}
}

function checkClock(findings: Findings, headers: Headers | undefined) {
	const theirs = Date.parse(headers?.get('date') ?? '');
	if (Number.isNaN(theirs)) {
		return findings.add('unknown', 'clock', 'The service does not send its time');
	}
	const seconds = Math.round((Date.now() - theirs) / 1000);
	if (Math.abs(seconds) <= 60)
		return findings.add('ok', 'clock', 'Matches the clock of the service');
	const where = seconds > 0 ? 'ahead of' : 'behind';
	const message = `This machine is ${Math.abs(seconds)} seconds ${where} the service`;
	findings.add('warning', 'clock', message, 'Set the clock: TLS and retries depend on it.');
}

async function checkAccount(findings: Findings, { client, signal }: ServiceCheck) {
	const unknown: AccountRecord = { id: '' };
	const { role, tier } = await client.account.get({ signal }).catch(() => unknown);
	if (role) findings.add('ok', 'role', role === 'admin' ? 'Admin' : 'Not an admin');
	else findings.add('unknown', 'role', 'The service does not report the role');
	const hint = 'Top up credits on the credits page of the web UI.';
	const free = 'Free: the account cannot create API keys';
	if (tier === 'free') findings.add('warning', 'tier', free, hint);
	else if (tier) findings.add('ok', 'tier', tier === 'paid' ? 'Paid' : tier);
	else findings.add('unknown', 'tier', 'The service does not report the tier');
}

interface Problem {
	message: string;
	hint?: string | undefined;
	exitCode?: ExitCode | undefined;
}

export class Findings {
	readonly all: (Finding & Problem)[] = [];

	add(state: Finding['state'], check: string, message: string, hint?: string) {
		this.all.push({ check, state, message, hint });
	}

	problem(check: string, { message, hint, exitCode }: Problem) {
		this.all.push({ check, state: 'error', message, hint, exitCode });
	}

	/** The value; undefined after an error, which becomes a finding. */
	async attempt<Value>(check: string, work: () => Promise<Value>, hint?: string) {
		try {
			return await work();
		} catch (error) {
			const failure = failureOf(error);
			this.problem(check, { ...failure, hint: failure.hint ?? hint });
			return undefined;
		}
	}
}

const colors = { ok: 'green', warning: 'yellow', error: 'red', unknown: 'dim' } as const;

export function addDoctor(program: Command, io: Io) {
	addCommand(program, 'doctor', 'find out why a command fails; prints no secret', [
		'board-access doctor',
		'board-access doctor --json',
	]).action((options: ServiceOptions) => doctor(options, io));
}

async function doctor(options: ServiceOptions, io: Io) {
	const findings = await examine(options, io);
	io.signal?.throwIfAborted();
	if (options.json) printJson(findings, io);
	else {
		const style = createStyle(io.stdout, io.env, options.color);
		for (const finding of findings) {
			io.stdout.write(describeFinding(finding, (text) => style(colors[finding.state], text)));
		}
	}
	const [first, ...others] = findings.filter(({ state }) => state === 'error');
	if (!first) return;
	const count = others.length === 0 ? '1 check' : `${others.length + 1} checks`;
	const exitCode = first.exitCode ?? exitCodes.general;
	throw new CliError(`${count} failed`, { code: 'doctor_errors', exitCode });
}

async function examine(options: ServiceOptions, io: Io) {
	const findings = new Findings();
	checkRuntime(findings);
	const apiKey = await checkKey(findings, options, io);
	const baseUrl = await checkAddress(findings, options, io);
	checkProxy(findings, io);
	if (!baseUrl) return findings.all;
	const { fetch, signal } = io;
	const { allowInsecureHttp } = options;
	const settings = { apiKey: apiKey ?? null, baseUrl, fetch, allowInsecureHttp };
	const client = new BoardAccess({ ...settings, maxRetries: 0, timeout: 10_000 });
	const caller = { client, hasKey: apiKey !== undefined, signal };
	if (await checkService(findings, caller)) await checkAccount(findings, caller);
	return findings.all;
}
