// All checks in order: the local ones first, then those that send requests.
import { BoardAccess } from 'board-access';
import type { ServiceOptions } from '../options.ts';
import type { Io } from '../terminal/io.ts';
import { Findings } from './findings.ts';
import { checkAddress, checkKey, checkProxy, checkRuntime } from './local-checks.ts';
import {
	checkName,
	checkRole,
	checkService,
	checkTier,
	checkTls,
	network as realNetwork,
} from './service-checks.ts';

export interface DoctorOptions extends ServiceOptions {
	tryCreate?: true;
}

/** The findings of all checks. */
export async function examine(options: DoctorOptions, io: Io) {
	const findings = new Findings();
	checkRuntime(findings);
	const apiKey = await checkKey(findings, options, io);
	const baseUrl = await checkAddress(findings, options, io);
	checkProxy(findings, io);
	const { network = realNetwork, fetch, signal } = io;
	if (!baseUrl || !(await checkName(findings, baseUrl, network))) return findings.all;
	await checkTls(findings, baseUrl, network);
	const { allowInsecureHttp } = options;
	const settings = { apiKey: apiKey ?? null, baseUrl, fetch, allowInsecureHttp };
	const client = new BoardAccess({ ...settings, maxRetries: 0, timeout: 10_000 });
	const caller = { client, hasKey: apiKey !== undefined, signal };
	if (!(await checkService(findings, caller))) return findings.all;
	await checkRole(findings, caller);
	const hint = '--try-create creates a key and revokes it again.';
	if (options.tryCreate) await checkTier(findings, caller);
	else findings.unknown('tier', 'Shown only when a key is created', hint);
	return findings.all;
}
