// `board-access doctor`: finds out why it does not work. Prints no secret: safe to pass on.
import type { Command } from 'commander';
import { version } from '../../package.json';
import { CliError } from './cli-error.ts';
import { exitCodes } from './exit-codes.ts';
import { type Finding, findingsOf } from './finding.ts';
import type { Io } from './io.ts';
import { addServiceCommand, examples, type ServiceOptions } from './options.ts';
import { printJson } from './output.ts';
import { createStyle, printable, type Style } from './style.ts';

interface DoctorOptions extends ServiceOptions {
	tryCreate?: true;
}

const runtime = findingsOf('runtime').ok(
	`board-access ${version}, Node ${process.versions.node}, ${process.platform} ${process.arch}`,
);

const tierNotAsked = findingsOf('tier').unknown(
	'The service tells only when a key is created',
	'--try-create creates one and revokes it again.',
);

const askService = async (
	{ address, key }: { address: URL; key: string | undefined },
	options: DoctorOptions,
	io: Io,
): Promise<Finding[]> => {
	const { BoardAccess } = await import('board-access');
	const checks = await import('./service-checks.ts');
	const network = io.network ?? (await import('./network.ts')).network;
	const name = await checks.checkName(address, network);
	if (name.state === 'fault') return [name];
	const client = new BoardAccess({
		apiKey: key ?? null,
		baseUrl: address,
		fetch: io.fetch,
		allowInsecureHttp: options.allowInsecureHttp,
		maxRetries: 0,
		timeout: 10_000,
	});
	const tls = await checks.checkTls(address, network);
	const service = await checks.checkService(client);
	const clock = checks.checkClock(service.headers, Date.now());
	const findings = [name, tls, ...service.findings, clock];
	if (!service.accepted) return findings;
	const tier = options.tryCreate ? await checks.checkTier(client) : tierNotAsked;
	return [...findings, await checks.checkRole(client), tier];
};

const examine = async (options: DoctorOptions, io: Io): Promise<Finding[]> => {
	const { checkAddress, checkKey, checkProxy } = await import('./local-checks.ts');
	const key = await checkKey(options, io);
	const address = await checkAddress(options, io);
	const local = [runtime, ...key.findings, ...address.findings, checkProxy(io)];
	if (address.value === undefined) return local;
	return [...local, ...(await askService({ address: address.value, key: key.value }, options, io))];
};

const marks = { ok: 'green', warning: 'yellow', fault: 'red', unknown: 'dim' } as const;

const lineOf = ({ check, state, message, hint }: Finding, style: Style) => {
	const mark = style[marks[state]](state.padEnd(8));
	const lines = [`${mark} ${check.padEnd(10)} ${printable(message)}`];
	if (hint) lines.push(`${' '.repeat(20)}${printable(hint)}`);
	return `${lines.join('\n')}\n`;
};

const doctor = async (options: DoctorOptions, io: Io) => {
	const findings = await examine(options, io);
	if (options.json) printJson(findings, io);
	else {
		const style = createStyle(io.stdout, io.env, options.color);
		io.stdout.write(findings.map((finding) => lineOf(finding, style)).join(''));
	}
	const faults = findings.filter(({ state }) => state === 'fault');
	if (faults.length === 0) return;
	throw new CliError(`${faults.length} ${faults.length === 1 ? 'fault' : 'faults'} found`, {
		code: 'doctor_faults',
		exitCode: faults[0]?.exitCode ?? exitCodes.general,
	});
};

export const addDoctor = (program: Command, io: Io) =>
	addServiceCommand(program, 'doctor')
		.description('find out why it does not work; prints no secret')
		.option('--try-create', 'create a key and revoke it again, to learn the tier of the account')
		.addHelpText('after', examples('board-access doctor', 'board-access doctor --json'))
		.action((options: DoctorOptions) => doctor(options, io));
