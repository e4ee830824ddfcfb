// All checks in order: the local ones first, then those that send requests.
import { BoardAccess } from 'board-access';
import type { ServiceOptions } from '../options.ts';
import type { Io } from '../terminal/io.ts';
import { type Finding, findingsOf } from './finding.ts';
import { checkAddress, checkKey, checkProxy, checkRuntime } from './local-checks.ts';
import { network as realNetwork } from './network.ts';
import {
	checkClock,
	checkName,
	checkRole,
	checkService,
	checkTier,
	checkTls,
} from './service-checks.ts';

export interface DoctorOptions extends ServiceOptions {
	tryCreate?: true;
}

const tierNotChecked = findingsOf('tier').unknown(
	'Shown only when a key is created',
	'--try-create creates a key and revokes it again.',
);

/** The findings of all checks. */
export async function examine(options: DoctorOptions, io: Io): Promise<Finding[]> {
	const key = await checkKey(options, io);
	const address = await checkAddress(options, io);
	const local = [checkRuntime(), ...key.findings, ...address.findings, checkProxy(io)];
	if (address.value === undefined) return local;
	return [
		...local,
		...(await checkRemote({ address: address.value, key: key.value }, options, io)),
	];
}

async function checkRemote(
	{ address, key }: { address: URL; key: string | undefined },
	options: DoctorOptions,
	io: Io,
): Promise<Finding[]> {
	const network = io.network ?? realNetwork;
	const name = await checkName(address, network);
	if (name.state === 'error') return [name];
	const client = new BoardAccess({
		apiKey: key ?? null,
		baseUrl: address,
		fetch: io.fetch,
		allowInsecureHttp: options.allowInsecureHttp,
		maxRetries: 0,
		timeout: 10_000,
	});
	const caller = { client, hasKey: key !== undefined, signal: io.signal };
	const tls = await checkTls(address, network);
	const service = await checkService(caller);
	const clock = checkClock(service.headers, Date.now());
	const findings = [name, tls, ...service.findings, clock];
	if (!service.accepted) return findings;
	const tier = options.tryCreate ? await checkTier(caller) : tierNotChecked;
	return [...findings, await checkRole(caller), tier];
}
