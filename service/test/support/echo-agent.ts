// An agent with ports that need no board: `echo` sends back what it gets, `sink` takes it, `broken` does not open.
import { type AgentOptions, startAgentWith } from '../../../agent/src/agent.ts';
import type { BoardPort, Hardware, PortEvents } from '../../../agent/src/drivers/hardware.ts';
import { openFences } from '../../../agent/src/fences.ts';
import type { Bench } from './bench.ts';

/** What happens at the ports of the agent. */
interface Ports {
	/** All bytes that were written, by port. */
	readonly written: Record<string, number>;
	/** The events of each port that is open. */
	readonly open: Map<string, PortEvents>;
}

export async function startEchoAgent(
	{
		baseUrl,
		token,
		boardIds,
		boardType,
	}: Pick<Bench, 'baseUrl' | 'token' | 'boardIds' | 'boardType'>,
	options: Pick<AgentOptions, 'fetch'> = {},
) {
	const ports: Ports = { written: {}, open: new Map() };
	const config = {
		service: baseUrl,
		token,
		boards: boardIds.map((id) => ({
			id,
			type: boardType,
			driver: 'emulated' as const,
			emulator: 'arduino-uno' as const,
		})),
	};
	const agent = await startAgentWith(
		{ hardwareOf: () => hardware(ports), openFences },
		{ config, ...options },
	);
	await agent.whenConnected();
	return { agent, ports };
}

/** Prints as many bytes as it is told in decimal digits. */
function source(state: Ports): BoardPort {
	return {
		async open(events) {
			state.open.set('source', events);
			return {
				async write(bytes) {
					const piece = new Uint8Array(16 * 1024);
					for (let left = Number(Buffer.from(bytes).toString()); left > 0; left -= piece.length) {
						await events.output(piece.subarray(0, left));
					}
				},
				close: async () => void state.open.delete('source'),
			};
		},
	};
}

function hardware(state: Ports): Hardware {
	const port = (
		name: string,
		write: (bytes: Uint8Array, events: PortEvents) => Promise<void> | void,
	): BoardPort => ({
		async open(events) {
			state.open.set(name, events);
			return {
				async write(bytes) {
					state.written[name] = (state.written[name] ?? 0) + bytes.length;
					await write(bytes, events);
				},
				close: async () => void state.open.delete(name),
			};
		},
	});
	return {
		actions: ['power_cycle', 'reset'],
		hasConsole: true,
		betweenLeases: 'keep',
		ports: new Map([
			['echo', port('echo', (bytes, events) => events.output(bytes))],
			['sink', port('sink', () => {})],
			['source', source(state)],
			['broken', { open: () => Promise.reject(new Error('The port is unplugged')) }],
		]),
		debug: port('debug', () => {}),
		open: async (events) => events.connected(),
		perform: async () => '',
		write: async () => {},
		close: async () => {},
		clear: async () => {},
		check: async () => '',
	};
}
