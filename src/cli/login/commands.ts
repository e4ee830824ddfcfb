// `board-access login`, `logout` and `whoami`: an API key that is saved for later commands.
import type { Command } from 'commander';
import { addServiceCommand, examples } from '../options.ts';
import type { Io } from '../terminal/io.ts';
import type { LoginOptions } from './login.ts';
import type { LogoutOptions } from './logout.ts';
import type { WhoamiOptions } from './whoami.ts';

export function addLogin(program: Command, io: Io) {
	addServiceCommand(program, 'login')
		.description('save an API key for later commands')
		.option('--no-browser', 'print the address of the API keys page without opening it')
		.addHelpText(
			'after',
			examples(
				'board-access login --base-url https://boards.example.com',
				'board-access login --service lab --base-url https://lab.example.com --api-key-file key.txt',
			),
		)
		.action(async (options: LoginOptions) => {
			const { login } = await import('./login.ts');
			await login(options, io);
		});
	addServiceCommand(program, 'logout')
		.description('remove a saved API key')
		.option('--revoke', 'revoke the key too')
		.addHelpText('after', examples('board-access logout', 'board-access logout --service lab'))
		.action(async (options: LogoutOptions) => {
			const { logout } = await import('./logout.ts');
			await logout(options, io);
		});
	addServiceCommand(program, 'whoami')
		.description('show which service and which API key commands use')
		.addHelpText('after', examples('board-access whoami', 'board-access whoami --service lab'))
		.action(async (options: WhoamiOptions) => {
			const { whoami } = await import('./whoami.ts');
			await whoami(options, io);
		});
}
