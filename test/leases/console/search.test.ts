// Output for which a regular expression takes longer than anybody waits.
import { sampleFirmwarePath } from 'board-access-agent/samples';
import { describe, expect, it } from 'vitest';
import { runCli } from '../../support/cli.ts';
import { apiKey, errorOf } from '../../support/client.ts';
import { createLeaseService } from '../../support/lease-service.ts';

const hostile = `${'a'.repeat(40)}!\r\n`;
const exponential = /^(a+)+$/;

/** A search is stopped after a second, and one may have begun when the time is up. */
const latest = 6_000;

const lease = async (...printed: string[]) => {
	const service = createLeaseService();
	const created = await service.createClient().leases.create({ boardType: 'arduino-uno' });
	for (const text of printed) service.print(text);
	return { service, console: created.console };
};

const timed = async <Result>(work: Promise<Result>) => {
	const start = performance.now();
	const result = await work;
	expect(performance.now() - start).toBeLessThan(latest);
	return result;
};

describe('an expectation', () => {
	it.each([
		['pattern', exponential, {}],
		['fail', 'never', { fail: exponential }],
		['expectation that the output would meet, after its fail', 'aaa', { fail: exponential }],
	])(
		'ends with its time limit if its %s takes forever',
		{ tags: 'long' },
		async (_, pattern, options) => {
			const { console } = await lease(hostile, 'more\r\n');
			const expected = console.expect(pattern, { ...options, timeout: 1_500 });
			expect(await timed(errorOf(expected))).toMatchObject({
				code: 'not_seen',
				searchStopped: true,
				message: expect.stringMatching(
					/^The console could not be searched within 1.5 s: .*simplify it/,
				),
			});
		},
	);

	it('lets timers and other work of the program run', { tags: 'long' }, async () => {
		const { console } = await lease(hostile);
		let ticks = 0;
		const timer = setInterval(() => (ticks += 1), 10);
		await errorOf(console.expect(exponential, { timeout: 3_000 }));
		clearInterval(timer);
		expect(ticks).toBeGreaterThan(1);
	});

	it.each([
		['a line of 1 MiB that does not end', 'x'.repeat(2 ** 20)],
		['the beginnings of notices about missing output', '[… '.repeat(2 ** 18)],
		['carriage returns', '\r'.repeat(2 ** 20)],
	])('searches lines among %s in time', async (_, output) => {
		const { console } = await lease(output);
		const error = await timed(errorOf(console.expectLine('never', { timeout: 500, fail: 'no' })));
		expect(error).toMatchObject({ code: 'not_seen' });
		expect(error).not.toHaveProperty('searchStopped');
	});
});

describe('run', () => {
	const run = async (...options: string[]) => {
		const service = createLeaseService();
		service.setOnAction((action) => {
			service.finish(action, 'done');
			service.print(hostile);
		});
		const argv = [
			'run',
			sampleFirmwarePath('arduino-uno'),
			'--type',
			'arduino-uno',
			'--timeout',
			'1s',
		];
		const env = { SERVICE_BASE_URL: 'http://localhost', SERVICE_API_KEY: apiKey };
		return await timed(runCli([...argv, ...options], { env, fetch: service.fetch }));
	};

	it.each([
		['--expect', ['--expect', '/^(a+)+$/']],
		['--fail, also with an --expect that appears', ['--expect', 'aaa', '--fail', '/^(a+)+$/']],
		['--fail, because nobody knows whether it appeared', ['--fail', '/^(a+)+$/']],
	])('has exit code 10 when the time is up for %s', { tags: 'long' }, async (_, options) => {
		expect(await run(...options)).toMatchObject({
			exitCode: 10,
			stderr: expect.stringContaining('The console could not be searched within 1 s'),
		});
	});
});
