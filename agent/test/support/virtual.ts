// An agent with recording hardware and a fake service, in virtual time.
import { onTestFinished, vi } from 'vitest';
import { type AgentDependencies, startAgentWith } from '../../src/agent.ts';
import type { ConsoleEvents, Hardware } from '../../src/drivers/hardware.ts';
import { openFences } from '../../src/fences.ts';
import { address, createFakeService, token } from './fake-service.ts';

/** Lets virtual time pass, with everything that happens in it. */
export const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);

export function useVirtualTime(): void {
	vi.useFakeTimers({
		toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'],
	});
	onTestFinished(() => void vi.useRealTimers());
}

/** Pauses the process for this time: the clock continues, and nothing else happens. */
export function freeze(milliseconds: number): void {
	const now = performance.now.bind(performance);
	const spy = vi.spyOn(performance, 'now').mockImplementation(() => now() + milliseconds);
	onTestFinished(() => spy.mockRestore());
}

/** For a board whose console does not matter. */
export const unheard: ConsoleEvents = { output() {}, lost() {}, connected() {} };

/** Hardware that writes down what is done with it. */
export function recordingHardware() {
	const record: string[] = [];
	const hardware: Hardware = {
		actions: ['reset'],
		hasConsole: true,
		betweenLeases: 'keep',
		async open() {
			record.push('open');
		},
		async perform({ action }) {
			record.push(action);
			return '';
		},
		async write(bytes) {
			record.push(Buffer.from(bytes).toString());
		},
		async close() {
			record.push('close');
		},
		async clear() {},
		check: async () => '',
	};
	return { hardware, record };
}

/** A connected agent with recorded boards; one that is made anew is recorded as `… again`. */
export async function startSeveral(ids: readonly string[], parts: Partial<Hardware> = {}) {
	const records: Record<string, string[]> = {};
	const made: string[] = [];
	const hardwareOf = ({ id }: { id: string }) => {
		const { hardware, record } = recordingHardware();
		records[made.includes(id) ? `${id} again` : id] = record;
		made.push(id);
		return { ...hardware, ...parts };
	};
	const types = Object.fromEntries(ids.map((id) => [id, 'real-board']));
	const started = await startInVirtualTime({ hardwareOf }, types);
	return { ...started, records, made };
}

/** An agent that drives the board `real`, or these, connected. */
export async function startInVirtualTime(
	parts: Partial<AgentDependencies> = {},
	types: Record<string, string> = { real: 'real-board' },
) {
	useVirtualTime();
	const { hardware, record } = recordingHardware();
	const service = createFakeService(types);
	const logged: string[] = [];
	const log = (_: object, message: string) => void logged.push(message);
	const agent = await startAgentWith(
		{ hardwareOf: () => hardware, openFences, ...parts },
		{
			config: {
				service: address,
				token,
				boards: Object.entries(types).map(([id, type]) => ({
					id,
					type,
					driver: 'command' as const,
					between_leases: 'keep' as const,
				})),
			},
			fetch: service.fetch,
			log: { info: log, warn: log, error: log },
		},
	);
	onTestFinished(async () => {
		const stopped = agent.stop();
		service.stop();
		await pass(1_000);
		await stopped;
	});
	await pass(1_000);
	return { agent, service, hardware, record, logged };
}
