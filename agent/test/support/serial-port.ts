// A serial port without hardware: a terminal made by socat, with a program behind it.
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { until } from './fake-service.ts';
import { startProcess } from './running.ts';

/** Starts the command behind a new port in the folder. */
export async function startSerialPort(folder: string, command: readonly string[]) {
	const path = join(folder, 'tty');
	// socat splits its arguments at blanks, which the folder may have in its name.
	const words = command.map((word) => `'${word}'`);
	await writeFile(join(folder, 'port.sh'), `exec ${words.join(' ')}`);
	const argv = ['PTY,link=tty,rawer', 'EXEC:"sh port.sh"'];
	const socat = startProcess('socat', argv, { cwd: folder });
	await until(() => existsSync(path), 'the port exists');
	return { path, socat };
}
