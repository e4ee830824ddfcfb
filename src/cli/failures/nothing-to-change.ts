// The error of a command that edits a record and is told no field.
import { CliError } from './cli-error.ts';
import { exitCodes } from './exit-codes.ts';

export function nothingToChange() {
	return new CliError('No field to change', {
		code: 'usage',
		exitCode: exitCodes.usage,
		hint: 'Run the command with --help to see the fields.',
	});
}
