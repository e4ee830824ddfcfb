// Two replicas on one PostgreSQL, and an agent with emulated boards that is connected to the first.
import { emulated, importBoards, runCommand, startAgent } from '../../service/test/siege/lab.ts';
import { startPostgres } from '../service/postgres.ts';
import { seed } from '../service/seed.ts';
import { main, processOf, startService } from '../service/server.ts';

const boards = ['brd_uno_1', 'brd_uno_2'];

export async function openLab() {
	await using stack = new AsyncDisposableStack();
	const { url, remove } = await startPostgres();
	stack.defer(remove);
	const apiKey = await seed(url, { keys: 1, boards: 20 });
	const records = boards.map((id) => ({ id, name: id, board_type: 'arduino-uno' }));
	await importBoards(main, url, records);
	const token = await runCommand(main, url, 'agent', 'create', 'bench', '--board', ...boards);
	const replicas = [await startService(url), await startService(url)] as const;
	for (const { stop } of replicas) stack.defer(stop);
	const agent = stack.use(await startAgent(replicas[0].origin, token, boards.map(emulated)));
	const opened = stack.move();
	return {
		apiKey,
		replicas,
		agent: processOf(agent.pid),
		[Symbol.asyncDispose]: () => opened.disposeAsync(),
	};
}

export type Lab = Awaited<ReturnType<typeof openLab>>;
