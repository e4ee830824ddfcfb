// Raw output has the bytes of the board and nothing else, however the agent's lines are cut.
import { sampleFirmwarePath } from 'board-access-agent/samples';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createOutputLimit } from '../../../agent/src/boards/output-limit.ts';
import { notice } from '../../../agent/src/drivers/hardware.ts';
import { createRawOutput } from '../../../src/cli/leases/console-output.ts';
import { runCli } from '../../support/cli.ts';
import { apiKey } from '../../support/client.ts';
import { createLeaseService } from '../../support/lease-service.ts';

describe('raw output', () => {
	beforeEach(() => void vi.useFakeTimers());
	afterEach(() => void vi.useRealTimers());

	function writing() {
		const pieces: Uint8Array[] = [];
		const said: string[] = [];
		const output = createRawOutput({
			write: (bytes) => pieces.push(bytes),
			say: (text) => said.push(text),
		});
		return { said, written: () => Buffer.concat(pieces), ...output };
	}

	/** What the agent passes on of a board that prints numbered lines at 921,600 baud, and the lines. */
	function fiveSeconds() {
		let now = 0;
		const limit = createOutputLimit(() => now);
		const passed: Uint8Array[] = [];
		const printed: string[] = [];
		for (let line = 0; now < 5_000; now += 10) {
			const lines = Array.from({ length: 92 }, () => `${String(line++).padStart(8)}\r\n`).join('');
			printed.push(lines);
			passed.push(limit.take(Buffer.from(lines)));
		}
		now += 1_000;
		passed.push(limit.take());
		return { passed: Buffer.concat(passed), printed: printed.join('') };
	}

	const dropped = (said: readonly string[]) =>
		Number(/^(\d+) bytes of the console output are missing/.exec(said.at(-1) ?? '')?.[1]);

	it('has no lines of the agent at 921,600 baud, and counts what is missing', () => {
		const { passed, printed } = fiveSeconds();
		expect(passed.toString()).toContain('bytes dropped …]');
		const { add, end, written, said } = writing();
		for (let start = 0; start < passed.length; start += 4_096) {
			add(passed.subarray(start, start + 4_096));
		}
		end();
		expect(said).toHaveLength(1);
		expect(dropped(said)).toBeGreaterThan(0);
		expect(written().length + dropped(said)).toBe(printed.length);
		expect(written().toString()).toMatch(/^[ \d\r\n]+$/);
	});

	it('is the same wherever it is cut', () => {
		const mark = (text: string) => Buffer.from(notice(text));
		const text = Buffer.concat([
			Buffer.from([0xff, 0x0d, 0x0a, 0xe2]),
			mark('12 bytes dropped'),
			mark('the console is connected'),
			Buffer.from('\r\n[x]\r\n[…\r\n\r'),
			mark('3 bytes dropped'),
		]);
		const cuts = fc.uniqueArray(fc.integer({ min: 0, max: text.length }));
		fc.assert(
			fc.property(cuts, (places) => {
				const { add, end, written, said } = writing();
				const ends = [...places.sort((one, other) => one - other), text.length];
				for (const [index, place] of ends.entries()) {
					add(text.subarray(ends[index - 1] ?? 0, place));
				}
				end();
				expect(written().toString('latin1')).toBe('\xff\r\n\xe2\r\n[x]\r\n[\xe2\x80\xa6\r\n\r');
				expect(said).toEqual([
					'[… the console is connected …]',
					'15 bytes of the console output are missing.',
				]);
			}),
		);
	});

	it('has a line end after a pause, although the agent could continue it, and says nothing of whole output', () => {
		const { add, end, written, said } = writing();
		add(Buffer.from('ready\r\n'));
		vi.advanceTimersByTime(1_000);
		expect(written().toString()).toBe('ready\r\n');
		end();
		expect(said).toEqual([]);
	});
});

describe('output with a mark', () => {
	const env = { SERVICE_BASE_URL: 'http://localhost', SERVICE_API_KEY: apiKey };
	const printed = 'one \r\n[… 1234 bytes dropped …]\r\ntwo\r\n';
	const missing = '1234 bytes of the console output are missing.\n';

	function run(...options: string[]) {
		const service = createLeaseService();
		service.setOnAction((action) => {
			service.finish(action, 'done');
			service.print(printed);
		});
		const firmware = sampleFirmwarePath('arduino-uno');
		const argv = ['run', firmware, '--type', 'arduino-uno', '--expect', 'two', ...options];
		return runCli(argv, { env, fetch: service.fetch });
	}

	it('is printed by run --raw-output without it', async () => {
		const { stdout, stderr } = await run('--raw-output');
		expect(stdout).toBe('one two\r\n');
		expect(stderr).toContain(missing);
		expect((await run()).stderr).not.toContain(missing);
	});

	it('is counted in the result of run --json', async () => {
		const { stdout } = await run('--json');
		const result = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '');
		expect(result).toMatchObject({ event: 'result', droppedBytes: 1234 });
	});

	it('is printed by console --raw-output without it', async () => {
		const service = createLeaseService();
		await service.createClient().leases.create({ boardType: 'arduino-uno' });
		service.print(printed);
		const running = runCli(['console', 'lse_1', '--raw-output'], { env, fetch: service.fetch });
		await vi.waitFor(() => expect(service.openStreams()).toBe(1));
		service.end('released');
		const { stdout, stderr } = await running;
		expect(stdout).toBe('one two\r\n');
		expect(stderr).toContain(missing);
	});
});
