// The error of an edit command without a field to change.
import { CliError } from './cli-error.ts';
import { exitCodes } from './exit-codes.ts';

export function nothingToChange() {
	return new CliError('No field to change', {
		code: 'usage',
		exitCode: exitCodes.usage,
		hint: 'Run the command with --help to see the fields.',
	});
}
