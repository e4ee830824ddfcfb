// Two replicas on one PostgreSQL, and an agent with emulated boards that is connected to the first.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { here } from '../child.ts';
import { startPostgres } from '../service/postgres.ts';
import { seed } from '../service/seed.ts';
import { processOf, startService } from '../service/server.ts';

const boards = ['brd_uno_1', 'brd_uno_2'];

export async function openLab() {
	const postgres = await startPostgres();
	const folder = await mkdtemp(join(tmpdir(), 'bench-leases-'));
	const apiKey = await seed(postgres.url, { keys: 1, boards: 20 });
	const command = (...words: string[]) =>
		promisify(execFile)(process.execPath, [here('../service/dist/main.js'), ...words], {
			env: { ...process.env, DATABASE_URL: postgres.url },
		});
	const file = join(folder, 'boards.json');
	const records = boards.map((id) => ({ id, name: id, board_type: 'arduino-uno' }));
	await writeFile(file, JSON.stringify(records));
	await command('boards', 'import', file);
	const { stdout } = await command('agent', 'create', 'bench', '--board', ...boards);
	const token = /agt_[0-9a-f]{48}/.exec(stdout)?.[0] ?? '';
	const replicas = [await startService(postgres.url), await startService(postgres.url)] as const;
	const agent = await startAgent({ folder, service: replicas[0].origin, token, boards });
	return {
		apiKey,
		replicas,
		agent,
		async close() {
			await agent.stop();
			for (const replica of replicas) await replica.stop();
			await postgres.stop();
			await rm(folder, { recursive: true, force: true });
		},
	};
}

export type Lab = Awaited<ReturnType<typeof openLab>>;

async function startAgent({
	folder,
	service,
	token,
	boards,
}: {
	folder: string;
	service: string;
	token: string;
	boards: string[];
}) {
	const config = join(folder, 'agent.yaml');
	const driven = boards.map((id) => ({ id, type: 'arduino-uno', driver: 'emulated' }));
	await writeFile(config, JSON.stringify({ service, boards: driven }));
	const child = spawn(
		process.execPath,
		[here('../agent/dist/main.js'), 'start', '--config', config],
		{
			stdio: ['ignore', 'ignore', 'inherit'],
			env: { ...process.env, BOARD_ACCESS_AGENT_TOKEN: token },
		},
	);
	return {
		...processOf(child.pid ?? 0),
		async stop() {
			child.kill();
			await once(child, 'exit');
		},
	};
}
