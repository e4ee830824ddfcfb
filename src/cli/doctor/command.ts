// `board-access doctor`: finds out why a command fails. Prints no secret: safe to share.
import { BoardAccess } from 'board-access';
import type { Command } from 'commander';
import { describeFinding } from '../../contract/printable.ts';
import { CliError } from '../failures/cli-error.ts';
import { exitCodes } from '../failures/exit-codes.ts';
import { addCommand, type ServiceOptions } from '../options.ts';
import type { Io } from '../terminal/io.ts';
import { printJson } from '../terminal/output.ts';
import { createStyle } from '../terminal/style.ts';
import {
	checkAccount,
	checkAddress,
	checkKey,
	checkProxy,
	checkRuntime,
	checkService,
} from './checks.ts';
import { Findings } from './findings.ts';

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
