// `board-access login`, `logout` and `whoami`: an API key that is saved for later commands.
import type { Command } from 'commander';
import { addCommand, type ServiceOptions } from '../options.ts';
import type { Io } from '../terminal/io.ts';
import type { LoginOptions, LogoutOptions } from './login.ts';

export function addLogin(program: Command, io: Io) {
	addCommand(program, 'login', 'save an API key for later commands', [
		'board-access login --base-url https://boards.example.com',
		'board-access login --service lab --base-url https://lab.example.com --api-key-file key.txt',
	])
		.option('--no-browser', 'print the address of the API keys page without opening it')
		.action(async (options: LoginOptions) => (await import('./login.ts')).login(options, io));
	addCommand(program, 'logout', 'remove a saved API key', [
		'board-access logout',
		'board-access logout --service lab',
	])
		.option('--revoke', 'revoke the key too')
		.action(async (options: LogoutOptions) => (await import('./login.ts')).logout(options, io));
	addCommand(program, 'whoami', 'show which service and which API key commands use', [
		'board-access whoami',
		'board-access whoami --service lab',
	]).action(async (options: ServiceOptions) => (await import('./login.ts')).whoami(options, io));
}
