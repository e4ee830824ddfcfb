// A real terminal: a shell in tmux, which is typed to and looked at.
import { execFileSync } from 'node:child_process';
import { expect, vi } from 'vitest';

let count = 0;

const tmux = (...argv: string[]) =>
	execFileSync('tmux', ['-L', `board-access-${process.pid}`, ...argv], { encoding: 'utf8' });

export const openTerminal = (command: string, env: Readonly<Record<string, string>>) => {
	count += 1;
	const name = `test-${count}`;
	const variables = Object.entries(env).flatMap(([key, value]) => ['-e', `${key}=${value}`]);
	const size = ['-x', '120', '-y', '40'];
	tmux('new-session', '-d', '-s', name, ...size, ...variables, command);
	const screen = () => tmux('capture-pane', '-p', '-J', '-t', name);
	return {
		screen,
		/** Types text, or presses a key such as `Enter`, `Tab` or `C-c`. */
		type: (...keys: string[]) => tmux('send-keys', '-t', name, ...keys),
		/** Waits until the screen shows it. */
		sees: (text: string | RegExp) =>
			vi.waitFor(() => expect(screen()).toMatch(text), { timeout: 10_000, interval: 50 }),
		close: () => tmux('kill-session', '-t', name),
	};
};
