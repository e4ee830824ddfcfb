// A real terminal: a shell in tmux, with input and a screen that tests read.
import { execFileSync } from 'node:child_process';
import { expect, onTestFinished, vi } from 'vitest';

let count = 0;

/** Opens one for the test that runs. */
export function openTerminal(command: string, env: Readonly<Record<string, string>>) {
	const tmux = createTmux(env);
	tmux('-f', '/dev/null', 'new-session', '-d', '-x', '120', '-y', '40', command);
	let isOpen = true;
	const close = () => {
		if (isOpen) tmux('kill-server');
		isOpen = false;
	};
	onTestFinished(close);
	const screen = () => tmux('capture-pane', '-p', '-J');
	return {
		/** Closes the terminal, as when an ssh connection breaks. */
		close,
		/** Types text, or presses a key such as `Enter`, `Tab` or `C-c`. */
		type: (...keys: string[]) => tmux('send-keys', ...keys),
		/** Waits until the screen shows it. */
		sees: (text: string | RegExp) =>
			vi.waitFor(() => expect(screen()).toMatch(text), { timeout: 10_000, interval: 50 }),
	};
}

/** Each has its own tmux server, because a server that is about to end rejects a new session. */
function createTmux(env: Readonly<Record<string, string>>) {
	count += 1;
	const name = `board-access-${process.pid}-${count}`;
	return (...argv: string[]) =>
		execFileSync('tmux', ['-L', name, ...argv], { encoding: 'utf8', env });
}
