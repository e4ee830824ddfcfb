// Serves the tools on standard input and output, and releases what they have leased when the agent is gone.
import { Writable } from 'node:stream';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { AnyLease } from 'board-access';
import { readPattern } from '../../ci/run-options.ts';
import { readScenario } from '../../ci/scenario-file.ts';
import type { Forwarding } from '../../forward/index.ts';
import { openRoot } from '../../mcp/files.ts';
import { boardTools, createToolServer, type Place } from '../../mcp/index.ts';
import { localTools } from '../../mcp/local-tools.ts';
import { interrupted } from '../leases/forward.ts';
import type { Call } from '../service/connect.ts';
import { note } from '../terminal/output.ts';

export async function serve({ client, io, signal }: Call, folder: string) {
	const root = await openRoot(folder);
	const held = new Map<string, AnyLease>();
	const ports = new Map<string, Promise<Forwarding>>();
	const running = new Set<Promise<unknown>>();
	const place: Place = {
		firmware: 'file',
		readFirmware: root.read,
		readPattern,
		files: {
			readScenario: async (name) => await readScenario(await root.pathOf(name)),
			writeLog: root.write,
		},
		maxSeconds: 3_600,
	};
	const { pathOf } = root;
	const session = {
		client,
		tools: [...boardTools(place), ...localTools({ pathOf, env: io.env, ports })],
		hold: (leases: readonly AnyLease[]) => {
			for (const lease of leases) held.set(lease.id, lease);
		},
		async around<Result>(work: () => Promise<Result>) {
			const ended = work();
			running.add(ended);
			return await ended.finally(() => running.delete(ended));
		},
	};
	const output = new Writable({ write: (chunk, _, done) => done(void io.stdout.write(chunk)) });
	const transport = new StdioServerTransport(io.stdin, output);
	const { promise: closed, resolve: onClosed } = Promise.withResolvers<void>();
	const close = transport.close.bind(transport);
	// It closes itself at the end of its input, and after a line that is too long.
	transport.close = () => close().finally(onClosed);
	const server = serveStdio(() => createToolServer(session), {
		transport,
		onerror: ({ message }) => note(message, io),
	});
	// A client that no longer reads is about to leave. Its leases are released first.
	io.finishWithoutOutput?.(() => {});
	try {
		await Promise.race([closed, interrupted(signal)]);
	} finally {
		await server.close();
		// What was cancelled releases its own leases.
		await Promise.allSettled(running);
		const ends = [...ports.values()].map(async (opened) => (await opened).stop());
		const releases = [...held.values()].map((lease) => lease.release());
		await Promise.allSettled([...ends, ...releases]);
	}
}
