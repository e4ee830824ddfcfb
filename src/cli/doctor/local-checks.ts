// The checks without a request: the runtime, the key, the address, the proxy variables.
import { readApiKey } from 'board-access';
import { version } from '../../../package.json';
import type { ServiceOptions } from '../options.ts';
import { unsupportedNode } from '../runtime.ts';
import { type Found, findBaseUrl, findKey, keyId, readAddress } from '../service/credentials.ts';
import type { Io } from '../terminal/io.ts';
import type { Findings } from './findings.ts';

export function checkRuntime(findings: Findings, node = process.versions.node) {
	const message = unsupportedNode(node);
	if (message !== undefined) return findings.problem('runtime', { message });
	const platform = `${process.platform} ${process.arch}`;
	findings.ok('runtime', `board-access ${version}, Node.js ${node}, ${platform}`);
}

export async function checkKey(findings: Findings, options: ServiceOptions, io: Io) {
	const found = await findings.attempt('credential', () => findKey(options, io));
	if (found === undefined) return undefined;
	findings.ok('credential', `${found.source} (${precedence(options, io)})`);
	return checkForm(findings, found);
}

function precedence({ apiKeyFile }: ServiceOptions, { env }: Io) {
	const hasVariable = env.SERVICE_API_KEY !== undefined;
	if (apiKeyFile === undefined) return hasVariable ? 'no option is given' : 'no variable is set';
	return hasVariable ? 'takes precedence over SERVICE_API_KEY' : 'given by an option';
}

async function checkForm(findings: Findings, { text, source }: Found) {
	if (text !== text.trim()) {
		findings.warning(
			'key form',
			`The key from ${source} has white space around it, most likely a newline`,
			'board-access ignores it, but other programs send it and get an error.',
		);
	}
	const isSplit = /\S\s+\S/.test(text);
	const hint = isSplit ? 'The key contains white space: a line break, or two values.' : undefined;
	const key = await findings.attempt('key form', async () => readApiKey(text, source), hint);
	if (key) findings.ok('key form', `Valid; the ID of the key is ${keyId(key)}`);
	return key;
}

export async function checkAddress(findings: Findings, options: ServiceOptions, io: Io) {
	return findings.attempt('address', async () => {
		const found = await findBaseUrl(options, io);
		const address = readAddress(found, options);
		findings.ok('address', `${address.href.replace(/\/$/, '')} from ${found.source}`);
		return address;
	});
}

const proxyNames = ['HTTPS_PROXY', 'HTTP_PROXY', 'ALL_PROXY'];

export function checkProxy(findings: Findings, { env }: Io) {
	const names = proxyNames.flatMap((name) => [name, name.toLowerCase()]);
	const set = names.filter((name) => env[name]).join(', ');
	if (set === '') return findings.ok('proxy', 'No proxy variable is set');
	if (env.NODE_USE_ENV_PROXY === '1' || env.NODE_OPTIONS?.includes('--use-env-proxy')) {
		return findings.ok('proxy', `Node.js uses ${set}`);
	}
	findings.warning(
		'proxy',
		`${set} is set, but Node.js ignores it`,
		'Set NODE_USE_ENV_PROXY=1 (Node.js 22.21, 24 and later) if the service is behind the proxy.',
	);
}
