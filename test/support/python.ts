// Runs programs in the Python that has pyserial.
import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';

// Another Python may come first in the path than that of the system, whose packages have pyserial.
const pythons = ['python3', '/usr/bin/python3'];
const python = pythons.find((name) => spawnSync(name, ['-c', 'import serial']).status === 0);

/** CI installs it; elsewhere it may be missing. */
export const hasPyserial = process.env.REQUIRE_TOOLS !== undefined || python !== undefined;

/** Returns what the program prints. Its `url` is the argument. */
export async function runPython(url: string, program: string): Promise<string> {
	const text = `import sys, time, serial\nurl = sys.argv[1]\n${program}`;
	const options = { timeout: 45_000 };
	const { stdout } = await promisify(execFile)(python ?? 'python3', ['-c', text, url], options);
	return stdout.trim();
}
