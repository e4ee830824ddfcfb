// Coding agents that start `board-access mcp`, as theirs do, and the boards that they lease. Needs a build.
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { BoardAccess } from 'board-access';
import { createTestService } from 'board-access-service/testing';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

export const command = fileURLToPath(new URL('../../../bin/board-access.js', import.meta.url));

/** The versions of the protocol, and how a client comes to speak each. */
export const versions = [
	{ version: '2025-11-25', mode: 'legacy' },
	{ version: '2026-07-28', mode: 'auto' },
] as const;

type Mode = (typeof versions)[number]['mode'];

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

type Options = NonNullable<Parameters<Client['callTool']>[1]>;
type Given = Record<string, unknown>;

/** Calls tools by their names. */
export function agentOf(client: Client) {
	const call = async (name: string, given: Given = {}, options?: Options) => {
		const result = await client.callTool({ name, arguments: given }, options);
		const [content] = result.content;
		const text = content?.type === 'text' ? content.text : '';
		const found = { ...(result.structuredContent as Given | undefined) };
		return { isError: result.isError === true, text, found };
	};
	/** What a call returns that succeeds. */
	const use = async (name: string, given?: Given, options?: Options) => {
		const { isError, text, found } = await call(name, given, options);
		expect({ isError, text }).toEqual({ isError: false, text });
		expect(JSON.parse(text)).toEqual(found);
		return found;
	};
	return {
		client,
		use,
		/** The words of a call that fails. */
		async fail(name: string, given?: Given, options?: Options) {
			const { isError, text } = await call(name, given, options);
			expect({ isError, text }).toEqual({ isError: true, text });
			return text;
		},
		/** The ID of the lease of a board. */
		async lease(board: string): Promise<string> {
			const { leases } = await use('lease_board', { boards: [board], wait_seconds: 30 });
			const [{ lease_id }] = leases as [{ lease_id: string }]; // of one board
			return lease_id;
		},
		/** The whole console of a lease. */
		async console(lease: string) {
			const uri = `board-access://leases/${lease}/console`;
			const [content] = (await client.readResource({ uri })).contents;
			return { ...content };
		},
	};
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
