// The checks that need no network: the runtime, the key, the address, the proxy variables.
import { readApiKey } from 'board-access';
import { version } from '../../../package.json';
import { failureOf } from '../failures/failure.ts';
import { keyId } from '../keys/id.ts';
import type { ServiceOptions } from '../options.ts';
import { unsupportedNode } from '../runtime.ts';
import { type FoundKey, readKeyFrom } from '../service/api-key-source.ts';
import { findBaseUrl, readAddress } from '../service/base-url-source.ts';
import type { Io } from '../terminal/io.ts';
import { type Finding, findingsOf } from './finding.ts';

/** The findings of a check, and the value for the next one; no value after an error. */
export interface Checked<Value> {
	findings: Finding[];
	value?: Value;
}

/** Whether the package supports this version of Node. */
export function checkRuntime(node = process.versions.node): Finding {
	const { ok, problem } = findingsOf('runtime');
	const unsupported = unsupportedNode(node);
	if (unsupported !== undefined) return problem({ message: unsupported });
	return ok(`board-access ${version}, Node.js ${node}, ${process.platform} ${process.arch}`);
}

function spaceAround({ source }: FoundKey) {
	return findingsOf('key form').warning(
		`The key from ${source} has white space around it, most likely a newline`,
		'board-access ignores it, but other programs send it and get an error.',
	);
}

function spaceInside(text: string) {
	return /\S\s+\S/.test(text)
		? 'The key contains white space: a line break, or two values.'
		: undefined;
}

async function checkForm(found: FoundKey): Promise<Checked<string>> {
	const { ok, problem } = findingsOf('key form');
	const around = found.text === found.text.trim() ? [] : [spaceAround(found)];
	try {
		const value = readApiKey(found.text, found.source);
		return {
			findings: [...around, ok(`Valid; the ID of the key is ${await keyId(value)}`)],
			value,
		};
	} catch (error) {
		const failure = await failureOf(error);
		const hint = failure.hint ?? spaceInside(found.text.trim());
		return { findings: [problem({ ...failure, hint })] };
	}
}

function precedence({ apiKeyFile }: ServiceOptions, { env }: Io) {
	if (apiKeyFile !== undefined) {
		return env.SERVICE_API_KEY === undefined
			? 'given by an option'
			: 'takes precedence over SERVICE_API_KEY';
	}
	return env.SERVICE_API_KEY === undefined ? 'no variable is set' : 'no option is given';
}

/** Which key is used and why, and whether its form is valid. */
export async function checkKey(options: ServiceOptions, io: Io): Promise<Checked<string>> {
	const { ok, problem } = findingsOf('credential');
	try {
		const found = await readKeyFrom(options, io);
		const { findings, ...rest } = await checkForm(found);
		return { findings: [ok(`${found.source} (${precedence(options, io)})`), ...findings], ...rest };
	} catch (error) {
		return { findings: [problem(await failureOf(error))] };
	}
}

/** Whether the form of the address is valid. */
export async function checkAddress(options: ServiceOptions, io: Io): Promise<Checked<URL>> {
	const { ok, problem } = findingsOf('address');
	try {
		const found = await findBaseUrl(options, io);
		const value = await readAddress(found, options);
		return { findings: [ok(`${value.href.replace(/\/$/, '')} from ${found.source}`)], value };
	} catch (error) {
		return { findings: [problem(await failureOf(error))] };
	}
}

const proxyNames = ['HTTPS_PROXY', 'HTTP_PROXY', 'ALL_PROXY'];

/** Whether proxy variables are set that Node ignores. */
export function checkProxy({ env }: Io): Finding {
	const { ok, warning } = findingsOf('proxy');
	const set = proxyNames.flatMap((name) => [name, name.toLowerCase()]).filter((name) => env[name]);
	if (set.length === 0) return ok('No proxy variable is set');
	if (env.NODE_USE_ENV_PROXY === '1' || env.NODE_OPTIONS?.includes('--use-env-proxy')) {
		return ok(`Node.js uses ${set.join(', ')}`);
	}
	return warning(
		`${set.join(', ')} is set, but Node.js ignores it`,
		'Set NODE_USE_ENV_PROXY=1 (Node.js 22.21, 24 and later) if the service is behind the proxy.',
	);
}
