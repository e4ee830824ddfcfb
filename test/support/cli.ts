// The command line with text streams, and the service in memory.
import { Readable } from 'node:stream';
import { createTestService } from 'board-access-service/testing';
import { afterAll, beforeAll } from 'vitest';
import { run } from '../../src/cli/program.ts';
import type { Io, Output } from '../../src/cli/terminal/io.ts';

/** What a run may differ in. */
export interface World extends Partial<Omit<Io, 'stdin' | 'stdout' | 'stderr'>> {
	/** Standard input, in one chunk or several. */
	stdin?: string | readonly string[];
	/** What happens to output that must not get lost. */
	deliver?: (text: string) => Promise<void>;
	/** Whether the three streams are a terminal, and how wide it is. */
	terminal?: number;
}

/** Runs the command and returns its exit code and output. */
export async function runCli(argv: readonly string[], world: World = {}) {
	const { stdin = '', terminal, deliver, env = {}, ...rest } = world;
	const stdout = collector(terminal);
	const stderr = collector(terminal);
	const exitCode = await run(argv, {
		env,
		stdin: Object.assign(Readable.from([stdin].flat().map((text) => Buffer.from(text))), {
			isTTY: terminal !== undefined,
		}),
		stdout: { ...stdout.output, ...(deliver && { deliver }) },
		stderr: stderr.output,
		...rest,
	});
	return { exitCode, stdout: stdout.text(), stderr: stderr.text() };
}

type TestService = Awaited<ReturnType<typeof createTestService>>;
type Demo = NonNullable<TestService['demo']>;

/** A service for the tests of a file; `cli` runs the command against it as its admin. */
export function useService(options: Parameters<typeof createTestService>[0] = {}) {
	let service: TestService | undefined;
	beforeAll(async () => {
		service = await createTestService(options);
	});
	afterAll(async () => service?.close());
	const started = (): { fetch: TestService['fetch']; demo: Demo } => {
		if (!service?.demo) throw new Error('The service has not been started');
		return { fetch: service.fetch, demo: service.demo };
	};
	const cli = (line: string | readonly string[], { env, ...world }: World = {}) => {
		const { fetch, demo } = started();
		const known = { SERVICE_BASE_URL: 'http://localhost', SERVICE_API_KEY: demo.apiKey };
		const argv = typeof line === 'string' ? line.split(' ') : line;
		return runCli(argv, { fetch, ...world, env: { ...known, ...env } });
	};
	return { cli, demo: () => started().demo, fetch: () => started().fetch };
}

function collector(terminal: number | undefined) {
	const chunks: string[] = [];
	const output: Output = {
		write: (data) => chunks.push(typeof data === 'string' ? data : Buffer.from(data).toString()),
		isTTY: terminal !== undefined,
		columns: terminal,
	};
	return { output, text: () => chunks.join('') };
}
