// A cluster of the PostgreSQL that is installed, whose pg_dump belongs to it.
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, globSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { freePort } from '../../../core/test/support/free-port.ts';

const [programs] = globSync('/usr/lib/postgresql/*/bin').sort().reverse();

/** CI installs it; elsewhere it may be missing. */
export const hasPostgres = process.env.REQUIRE_TOOLS !== undefined || programs !== undefined;

/** The path with its programs first. */
export const pathWithPostgres = [programs, process.env.PATH].join(delimiter);

export async function startInstalledPostgres() {
	const folder = mkdtempSync(join(tmpdir(), 'installed-pg-'));
	const port = await freePort();
	// PostgreSQL does not run as root.
	const isRoot = process.getuid?.() === 0;
	if (isRoot) {
		chmodSync(join(folder, '..'), 0o755);
		chownSync(folder, idOf('-u'), idOf('-g'));
	}
	const data = join(folder, 'data');
	const run = (name: string, ...words: string[]) => {
		const command = [join(programs ?? '', name), ...words];
		const [first = '', ...rest] = isRoot
			? ['runuser', '-u', 'postgres', '--', ...command]
			: command;
		execFileSync(first, rest, { cwd: folder, stdio: 'ignore' });
	};
	run('initdb', '-D', data, '-A', 'trust', '-U', 'postgres');
	const options = `-p ${port} -h 127.0.0.1 -k '' -c fsync=off`;
	run('pg_ctl', '-D', data, '-o', options, '-l', join(folder, 'log'), '-w', 'start');
	return {
		url: `postgres://postgres@127.0.0.1:${port}`,
		stop: () => run('pg_ctl', '-D', data, '-m', 'immediate', '-w', 'stop'),
	};
}

function idOf(option: '-u' | '-g') {
	return Number(spawnSync('id', [option, 'postgres'], { encoding: 'utf8' }).stdout);
}
