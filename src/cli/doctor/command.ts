// `board-access doctor`: finds out why a command fails. Prints no secret: safe to share.
import type { Command } from 'commander';
import { CliError } from '../failures/cli-error.ts';
import { exitCodes } from '../failures/exit-codes.ts';
import { addServiceCommand, examples } from '../options.ts';
import type { Io } from '../terminal/io.ts';
import { printJson } from '../terminal/output.ts';
import { createStyle, printable, type Style } from '../terminal/style.ts';
import type { DoctorOptions } from './examination.ts';
import type { Finding } from './finding.ts';

const colors = { ok: 'green', warning: 'yellow', error: 'red', unknown: 'dim' } as const;

export function addDoctor(program: Command, io: Io) {
	return addServiceCommand(program, 'doctor')
		.description('find out why a command fails; prints no secret')
		.option('--try-create', 'create and revoke a key to find out the tier of the account')
		.addHelpText('after', examples('board-access doctor', 'board-access doctor --json'))
		.action((options: DoctorOptions) => doctor(options, io));
}

function lineOf({ check, state, message, hint }: Finding, style: Style) {
	const mark = style[colors[state]](state.padEnd(8));
	const lines = [`${mark} ${check.padEnd(10)} ${printable(message)}`];
	if (hint) lines.push(`${' '.repeat(20)}${printable(hint)}`);
	return `${lines.join('\n')}\n`;
}

async function doctor(options: DoctorOptions, io: Io) {
	const { examine } = await import('./examination.ts');
	const findings = await examine(options, io);
	io.signal?.throwIfAborted();
	if (options.json) printJson(findings, io);
	else {
		const style = createStyle(io.stdout, io.env, options.color);
		io.stdout.write(findings.map((finding) => lineOf(finding, style)).join(''));
	}
	const errors = findings.filter(({ state }) => state === 'error');
	if (errors.length === 0) return;
	throw new CliError(`${errors.length} ${errors.length === 1 ? 'check' : 'checks'} failed`, {
		code: 'doctor_errors',
		exitCode: errors[0]?.exitCode ?? exitCodes.general,
	});
}
