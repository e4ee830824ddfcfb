// Runs a test runner, as a user starts it, on a service with emulated boards. Needs a build.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify, stripVTControlCharacters } from 'node:util';
import { BoardAccess } from 'board-access';
import { createTestService } from 'board-access-service/testing';

const project = fileURLToPath(new URL('../..', import.meta.url));

/** Returns what it printed, and the leases that it leaves behind, with what was done with their boards. */
export async function runBoardTests(...argv: string[]) {
	const service = await createTestService({ agent: true });
	try {
		const apiKey = service.demo.apiKey;
		const baseUrl = await service.listen();
		const env = { SERVICE_BASE_URL: baseUrl, SERVICE_API_KEY: apiKey };
		const { printed } = await runTests(argv, env);
		const client = new BoardAccess({ baseUrl, apiKey });
		const records = await client.leases.list();
		const leases = records.toReversed().map(async (record) => {
			const actions = await (await client.leases.get(record.id)).actions();
			const used = actions.filter(({ phase }) => phase === 'use');
			return { ...record, used: used.map(({ action }) => action) };
		});
		return { printed, leases: await Promise.all(leases) };
	} finally {
		await service.close();
	}
}

/** Without the address of a service, the tests start one of their own. */
export async function runTests(argv: string[], env: Readonly<Record<string, string>> = {}) {
	const { PATH = '' } = process.env;
	const options = { cwd: project, env: { PATH, CI: '1', ...env }, timeout: 60_000 };
	const [failed, { stdout, stderr }] = await promisify(execFile)(
		process.execPath,
		argv,
		options,
	).then(
		(result) => [false, result] as const,
		(error) => [true, error] as const,
	);
	return { failed, printed: stripVTControlCharacters(stdout + stderr) };
}
