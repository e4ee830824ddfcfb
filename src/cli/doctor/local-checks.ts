// What the doctor can find without the network: the runtime, the key, the address, the proxy variables.
import { readApiKey, readBaseUrl } from 'board-access';
import { engines, version } from '../../../package.json';
import { failureOf } from '../failures/failure.ts';
import { keyId } from '../keys/id.ts';
import type { ServiceOptions } from '../options.ts';
import { type FoundKey, readKeyFrom } from '../service/api-key-source.ts';
import { findBaseUrl } from '../service/base-url-source.ts';
import type { Io } from '../terminal/io.ts';
import { type Finding, findingsOf } from './finding.ts';

/** What a check found, and what it leaves for the next one; nothing if there is a fault. */
export interface Checked<Value> {
	findings: Finding[];
	value?: Value;
}

/** Whether the package supports this version of Node. */
export function checkRuntime(node = process.versions.node): Finding {
	const { ok, fault } = findingsOf('runtime');
	const message = `board-access ${version}, Node ${node}, ${process.platform} ${process.arch}`;
	const oldest = engines.node.replace('>=', '');
	if (Number.parseInt(node, 10) >= Number(oldest)) return ok(message);
	return fault({ message, hint: `Node ${oldest} or later is needed.` });
}

function spaceAround({ source }: FoundKey) {
	return findingsOf('key form').warning(
		`There is white space around the key in ${source}, most likely a newline`,
		'It is ignored here; other programs send it along and are refused.',
	);
}

function spaceInside(text: string) {
	return /\S\s+\S/.test(text)
		? 'There is white space inside it: a line break, or two values.'
		: undefined;
}

async function checkForm(found: FoundKey): Promise<Checked<string>> {
	const { ok, fault } = findingsOf('key form');
	const around = found.text === found.text.trim() ? [] : [spaceAround(found)];
	try {
		const value = readApiKey(found.text, found.source);
		return { findings: [...around, ok(`A key with the id ${await keyId(value)}`)], value };
	} catch (error) {
		const failure = await failureOf(error);
		const hint = failure.hint ?? spaceInside(found.text.trim());
		return { findings: [fault({ ...failure, hint })] };
	}
}

function whyIt({ apiKeyFile }: ServiceOptions, { env }: Io) {
	if (apiKeyFile === undefined) return 'no option names another';
	return env.SERVICE_API_KEY === undefined ? 'the option names it' : 'it wins over SERVICE_API_KEY';
}

/** Which key is used and why, and whether it can be one. */
export async function checkKey(options: ServiceOptions, io: Io): Promise<Checked<string>> {
	const { ok, fault } = findingsOf('credential');
	try {
		const found = await readKeyFrom(options, io);
		const { findings, ...rest } = await checkForm(found);
		return { findings: [ok(`${found.source}: ${whyIt(options, io)}`), ...findings], ...rest };
	} catch (error) {
		return { findings: [fault(await failureOf(error))] };
	}
}

/** Whether the address can be one. */
export async function checkAddress(options: ServiceOptions, io: Io): Promise<Checked<URL>> {
	const { ok, fault } = findingsOf('address');
	const { text, source } = findBaseUrl(options, io);
	try {
		const value = readBaseUrl(text, source, options);
		return { findings: [ok(`${value.href.replace(/\/$/, '')} from ${source}`)], value };
	} catch (error) {
		return { findings: [fault(await failureOf(error))] };
	}
}

const proxyNames = ['HTTPS_PROXY', 'HTTP_PROXY', 'ALL_PROXY'];

/** Whether proxy variables are set that Node does not look at. */
export function checkProxy({ env }: Io): Finding {
	const { ok, warning } = findingsOf('proxy');
	const set = proxyNames.flatMap((name) => [name, name.toLowerCase()]).filter((name) => env[name]);
	if (set.length === 0) return ok('No proxy variable is set');
	if (env.NODE_USE_ENV_PROXY === '1' || env.NODE_OPTIONS?.includes('--use-env-proxy')) {
		return ok(`Node goes by ${set.join(', ')}`);
	}
	return warning(
		`${set.join(', ')} is set, but Node ignores it`,
		'Set NODE_USE_ENV_PROXY=1 (Node 22.21, 24 and later) if the service is behind the proxy.',
	);
}
