// Starts agents with a fake service, and stops them after the test.
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import { type AgentConfig, type RunningAgent, startAgent } from '../../src/index.ts';
import { address, createFakeService, type FakeService, token } from './fake-service.ts';

const cleanUp: (() => Promise<unknown>)[] = [];

afterEach(async () => {
	for (const step of cleanUp.splice(0).reverse()) await step();
});

export type BoardSettings = AgentConfig['boards'][number];

export interface Started {
	readonly agent: RunningAgent;
	readonly service: FakeService;
	/** Everything that was logged. */
	readonly logged: string[];
}

/** An agent with these boards, connected to a service that knows them, or to the one given. */
export async function startWith(
	boards: BoardSettings[],
	{ stateFile, service = serviceOf(boards) }: { stateFile?: string; service?: FakeService } = {},
): Promise<Started> {
	const logged: string[] = [];
	const record = (details: object, message: string) => {
		logged.push(`${message} ${JSON.stringify(details)}`);
	};
	const agent = await startAgent({
		config: { service: address, token, boards, ...(stateFile && { state_file: stateFile }) },
		fetch: service.fetch,
		log: { info: record, warn: record, error: record },
	});
	cleanUp.push(async () => {
		service.stop();
		await agent.stop();
	});
	await agent.whenConnected();
	return { agent, service, logged };
}

export function serviceOf(boards: BoardSettings[]): FakeService {
	return createFakeService(Object.fromEntries(boards.map(({ id, type }) => [id, type])));
}

export async function temporaryFolder(): Promise<string> {
	const folder = await mkdtemp(join(tmpdir(), 'agent-test-'));
	cleanUp.push(() => rm(folder, { recursive: true, force: true }));
	return folder;
}

/** Runs after the test, before what was set up earlier is taken down. */
export function atEnd(step: () => Promise<unknown>): void {
	cleanUp.push(step);
}

/** A process that ends with the test. */
export function startProcess(
	command: string,
	args: readonly string[],
	options: SpawnOptions = {},
): ChildProcess {
	const child = spawn(command, args, { stdio: 'ignore', ...options });
	atEnd(async () => {
		if (child.exitCode !== null || child.signalCode !== null) return;
		child.kill('SIGKILL');
		await once(child, 'exit');
	});
	return child;
}

/** A script as a tool. It is the operator who chooses a shell here, never the agent. */
export function script(text: string, ...args: string[]): string[] {
	return ['sh', '-c', text, 'tool', ...args];
}

/** Whether the process runs. One that has ended and that nobody has collected does not. */
export function isRunning(pid: number): boolean {
	try {
		return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
	} catch {
		return false;
	}
}
