// The proxies that the project ships configuration for, each in front of two replicas.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';
import { freePort } from '../../../core/test/support/free-port.ts';

interface Setup {
	/** A folder that is empty at the start. */
	folder: string;
	port: number;
	replicas: [number, number];
}

/** Each writes the shipped configuration for the ports of a test, and returns the command line. */
const proxies = {
	async caddy({ folder, port, replicas }: Setup) {
		const [first, second] = replicas;
		const file = join(folder, 'Caddyfile');
		const shipped = replaceAll(await deployFile('Caddyfile'), [
			[':8080 {', `{\n\tadmin off\n}\nhttp://127.0.0.1:${port} {`],
			['dynamic a service 8787', `to 127.0.0.1:${first} 127.0.0.1:${second}`],
		]);
		await writeFile(file, shipped);
		return ['caddy', 'run', '--adapter', 'caddyfile', '--config', file];
	},
	async nginx({ folder, port, replicas }: Setup) {
		const [first, second] = replicas;
		const shipped = replaceAll(await deployFile('nginx.conf'), [
			['listen 8080', `listen 127.0.0.1:${port}`],
			['127.0.0.1:8787', `127.0.0.1:${first}`],
			['127.0.0.1:8788', `127.0.0.1:${second}`],
		]);
		await writeFile(join(folder, 'service.conf'), shipped);
		const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
		for (const name of temporary) await mkdir(join(folder, name));
		const paths = temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join(' ');
		const main = `daemon off; master_process off; pid ${folder}/pid; error_log stderr; events {}
http { access_log off; ${paths} include ${folder}/service.conf; }`;
		await writeFile(join(folder, 'main.conf'), main);
		return ['nginx', '-p', folder, '-c', join(folder, 'main.conf')];
	},
};

export type ProxyName = keyof typeof proxies;

/** CI installs both proxies; elsewhere one may be missing. */
export function hasProxy(name: ProxyName) {
	return process.env.REQUIRE_TOOLS !== undefined || spawnSync(name, ['-h']).error === undefined;
}

/** Starts the proxy and waits until it passes requests on. */
export async function startProxy(name: ProxyName, replicas: [number, number]) {
	const folder = await mkdtemp(join(tmpdir(), 'board-access-proxy-'));
	const port = await freePort();
	const [command = '', ...words] = await proxies[name]({ folder, port, replicas });
	const child = spawn(command, words, {
		env: { PATH: process.env.PATH ?? '', HOME: folder },
		stdio: 'ignore',
	});
	const url = `http://127.0.0.1:${port}`;
	await vi.waitFor(async () => (await fetch(`${url}/healthz`)).text(), { timeout: 20_000 });
	return {
		url,
		async close() {
			await ended(child);
			await rm(folder, { recursive: true, force: true });
		},
	};
}

function ended(child: ChildProcess) {
	const exited = new Promise((resolve) => child.once('exit', resolve));
	child.kill('SIGKILL');
	return exited;
}

export function deployFile(name: string) {
	return readFile(new URL(`../../deploy/${name}`, import.meta.url), 'utf8');
}

function replaceAll(text: string, changes: [string, string][]) {
	return changes.reduce((result, [from, to]) => {
		if (!result.includes(from)) throw new Error(`The configuration has no "${from}"`);
		return result.replaceAll(from, to);
	}, text);
}
