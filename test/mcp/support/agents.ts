// Coding agents that start `board-access mcp`, as theirs do, and the boards that they lease. Needs a build.
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { BoardAccess } from 'board-access';
import { createTestService } from 'board-access-service/testing';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { agentOf, type Mode } from '../../support/coding-agent.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

export const command = fileURLToPath(new URL('../../../bin/board-access.js', import.meta.url));

interface Address {
	baseUrl: string;
	apiKey: string;
}

/** A service with emulated boards for the tests of a file. */
export function useBoards() {
	let service: Awaited<ReturnType<typeof createTestService>>;
	let baseUrl: string;
	beforeAll(async () => {
		service = await createTestService({ agent: true });
		baseUrl = await service.listen();
	});
	afterAll(() => service?.close());
	const here = (): Address => ({ baseUrl, apiKey: service.demo.apiKey });
	/** One that is no coding agent. */
	const client = () => new BoardAccess(here());
	/** The leases that have not ended. */
	const open = () => client().leases.list({ status: ['queued', 'preparing', 'active'] });
	return { here, client, open };
}

interface Starting {
	mode?: Mode;
	/** The folder whose files it may use. Default: an empty one. */
	root?: string;
	env?: Record<string, string>;
}

/** Starts the server for the test that runs, and connects with it. */
export async function start(
	{ baseUrl, apiKey }: Address,
	{ mode = 'legacy', root, env = {} }: Starting = {},
) {
	const folder = root ?? (await temporaryDirectory());
	const transport = new StdioClientTransport({
		command: process.execPath,
		args: [command, 'mcp', '--root', folder],
		env: { SERVICE_BASE_URL: baseUrl, SERVICE_API_KEY: apiKey, ...env },
		stderr: 'pipe',
	});
	const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });
	await client.connect(transport);
	onTestFinished(() => client.close());
	return { ...agentOf(client), folder, pid: transport.pid ?? 0 };
}

/** Collects what a call is told while it is carried out. */
export function progressing() {
	const told: string[] = [];
	const stop = new AbortController();
	return {
		told,
		options: {
			signal: stop.signal,
			onprogress: ({ message = '' }) => void told.push(message),
		},
		cancel: () => stop.abort(),
	};
}
