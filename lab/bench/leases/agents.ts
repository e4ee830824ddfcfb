// Real agents, whose simulated boards complete every action at once.
import { startAgentWith } from '../../../agent/src/agent.ts';
import type { ConsoleEvents, Hardware } from '../../../agent/src/drivers/hardware.ts';
import { openFences } from '../../../agent/src/fences.ts';
import type { Population } from './seed.ts';

export function createAgents(population: Population) {
	/** What each board prints to, while it has a lease. */
	const outputs = new Map<string, ConsoleEvents['output']>();
	/** By action, the lease that it prepares. */
	const leases = new Map<string, string>();
	/** Leases whose boards are prepared, and who waits for one that is not yet. */
	const prepared = new Set<string>();
	const waiting = new Map<string, () => void>();
	const running: { stop(): Promise<void> }[] = [];
	/** The bytes of output that the service has confirmed. */
	const stored = { bytes: 0 };
	/** By the lease that a board serves, who waits for the confirmation of its output. */
	const confirmations = new Map<string, (() => void)[]>();
	const served = new Map<string, string>();

	const note = (line: string) => {
		for (const { board_id: boardId, lease } of JSON.parse(line).boards) {
			if (lease) served.set(boardId, lease.id);
			for (const { id } of lease?.actions ?? []) {
				leases.set(id, lease.id);
			}
		}
	};

	const confirm = (leaseId: string, body: RequestInit['body']) => {
		if (!(body instanceof Uint8Array) || body.length === 0) return;
		stored.bytes += body.length;
		for (const resolve of confirmations.get(leaseId) ?? []) resolve();
		confirmations.delete(leaseId);
	};

	const send = async (url: string, init: RequestInit) => {
		const response = await fetch(url, init);
		const [kind = '', id = ''] = new URL(url).pathname.split('/').slice(3);
		if (kind === 'console' && response.ok) confirm(id, init.body);
		if (kind === 'work' && response.ok) return observed(response, note);
		const leaseId = leases.get(id);
		if (leaseId !== undefined && String(init.body).includes('"done"') && response.ok) {
			prepared.add(leaseId);
			waiting.get(leaseId)?.();
		}
		return response;
	};

	return {
		outputs,
		stored,
		/** Resolves when the agent's report that the board of a lease is prepared was confirmed. */
		async prepared(leaseId: string) {
			if (prepared.has(leaseId)) return;
			await new Promise<void>((resolve) => waiting.set(leaseId, resolve));
		},
		/** Resolves when the service has confirmed output of a board that it has not confirmed yet. */
		confirmed(boardId: string) {
			const { promise, resolve } = Promise.withResolvers<void>();
			const leaseId = served.get(boardId) ?? '';
			confirmations.set(leaseId, [...(confirmations.get(leaseId) ?? []), resolve]);
			return promise;
		},
		async connect(origins: readonly string[]) {
			const started = population.agents.map(async ({ token, boards }, index) => {
				const service = origins[index % origins.length] ?? '';
				const emulated = { type: 'arduino-uno', driver: 'emulated' as const };
				const config = { service, token, boards: boards.map((id) => ({ id, ...emulated })) };
				const hardwareOf = ({ id }: { id: string }) => board(id, outputs);
				const agent = await startAgentWith({ hardwareOf, openFences }, { config, fetch: send });
				running.push(agent);
				await agent.whenConnected();
			});
			await Promise.all(started);
		},
		[Symbol.asyncDispose]: async () => {
			await Promise.all(running.map((agent) => agent.stop()));
		},
	};
}

function board(id: string, outputs: Map<string, ConsoleEvents['output']>): Hardware {
	return {
		actions: ['reset'],
		hasConsole: true,
		betweenLeases: 'erase',
		async open(events) {
			outputs.set(id, (bytes) => events.output(bytes));
		},
		async perform(_, __, outputBegins) {
			outputBegins?.();
			return '';
		},
		async write() {},
		async close() {
			outputs.delete(id);
		},
		async clear() {},
		check: async () => '',
	};
}

/** Calls `onLine` with the lines that have an action. */
function observed(response: Response, onLine: (line: string) => void) {
	let rest = '';
	const decoder = new TextDecoder();
	const body = response.body?.pipeThrough(
		new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
			transform(chunk, controller) {
				controller.enqueue(chunk);
				const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
				rest = lines.pop() ?? '';
				for (const line of lines) if (line.includes('"actions":[{')) onLine(line);
			},
		}),
	);
	return new Response(body, response);
}
