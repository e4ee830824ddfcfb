// The package as users get it: packed, installed in an empty folder, started by a shell.
import { execFile, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createTestService } from 'board-access-service/testing';

const exec = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));

/** Whether to skip a test that needs these programs. In CI they have to be there. */
export function isMissing(...programs: string[]) {
	return !process.env.CI && !programs.every(isInstalled);
}

/** Packs and unpacks the package; returns the folder and the PATH that its command needs. */
export async function installPackage() {
	const directory = await mkdtemp(join(tmpdir(), 'board-access-'));
	const { stdout } = await exec(
		'npm',
		['pack', '--json', '--ignore-scripts', '--pack-destination', directory],
		{ cwd: root },
	);
	const [{ filename }] = JSON.parse(stdout);
	const unpacked = join(directory, 'node_modules', 'board-access');
	const bin = join(directory, 'node_modules', '.bin');
	for (const folder of [unpacked, bin]) await mkdir(folder, { recursive: true });
	// As npm does it, which takes several seconds; `test/package.test.ts` installs the package with npm.
	await exec('tar', ['-xzf', join(directory, filename), '--strip-components=1', '-C', unpacked]);
	await symlink(join(unpacked, 'bin/board-access.js'), join(bin, 'board-access'));
	const path = [bin, dirname(process.execPath), process.env.PATH].join(delimiter);
	return { directory, path, remove: () => rm(directory, { recursive: true }) };
}

/** The service with samples on a port of this machine. Requests to `/slow` get no response. */
export async function listen(options: Parameters<typeof createTestService>[0] = {}) {
	const service = await createTestService(options);
	let slow = Promise.withResolvers<void>();
	const server = createServer(async (request, response) => {
		if (request.url?.startsWith('/slow')) return slow.resolve();
		const { method = 'GET', url = '/' } = request;
		const body = await buffer(request);
		const headers = new Headers();
		for (const [name, value] of Object.entries(request.headers)) headers.set(name, String(value));
		const answer = await service.fetch(`http://localhost${url}`, {
			method,
			headers,
			...(body.length > 0 && { body }),
		});
		response.writeHead(answer.status, Object.fromEntries(answer.headers));
		response.flushHeaders();
		if (!answer.body) return response.end();
		// A console is read until its reader leaves.
		await pipeline(Readable.from(answer.body), response).catch(() => {});
	}).listen(0, '127.0.0.1');
	await new Promise((resolve) => server.once('listening', resolve));
	const { port } = server.address() as AddressInfo; // of a server that listens on a port
	const close = async () => {
		server.closeAllConnections();
		server.close();
		await service.close();
	};
	const baseUrl = `http://127.0.0.1:${port}`;
	/** Resolves when the next request to `/slow` arrives. */
	const nextStuck = () => {
		slow = Promise.withResolvers();
		return slow.promise;
	};
	return { baseUrl, demo: service.demo, nextStuck, close };
}

function isInstalled(program: string) {
	return spawnSync('which', [program]).status === 0;
}
