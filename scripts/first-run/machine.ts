// A new machine: an empty home, an empty npm cache, and no settings except those for the network.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

const network = /^(https?_proxy|no_proxy|all_proxy|node_extra_ca_certs|ssl_cert_(file|dir))$/i;

/** The PATH without the folders of any project. */
const path = [
	dirname(process.execPath),
	...(process.env.PATH ?? '').split(delimiter).filter((part) => !part.includes('node_modules')),
].join(delimiter);

export interface Ended {
	exitCode: number | null;
	output: string;
	seconds: number;
}

export async function createMachine() {
	const root = await mkdtemp(join(tmpdir(), 'first-run-'));
	const folder = async (name: string) => {
		await mkdir(join(root, name), { recursive: true });
		return join(root, name);
	};
	const passedOn = Object.entries(process.env).filter(([name]) => network.test(name));
	const env = { HOME: await folder('home'), PATH: path, ...Object.fromEntries(passedOn) };

	const start = (command: string, cwd: string, more: object = {}) =>
		spawn('sh', ['-c', command], {
			cwd,
			env: { ...env, ...more },
			stdio: ['ignore', 'pipe', 'pipe'],
			detached: true, // so that what it starts can be ended with it
		});

	return {
		folder,
		start,
		/** The names of the settings that the machine has besides an empty home. */
		settings: passedOn.map(([name]) => name),
		async type(command: string, cwd: string, more: object = {}): Promise<Ended> {
			const startedAt = performance.now();
			const child = start(command, cwd, more);
			let output = '';
			for (const stream of [child.stdout, child.stderr]) {
				stream.setEncoding('utf8').on('data', (text) => {
					output += text;
				});
			}
			const [exitCode] = await once(child, 'close');
			return { exitCode, output, seconds: (performance.now() - startedAt) / 1000 };
		},
		clear: () => rm(root, { recursive: true, force: true }),
	};
}

export type Machine = Awaited<ReturnType<typeof createMachine>>;
