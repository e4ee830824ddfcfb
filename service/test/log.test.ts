// The lines of a service that is ended.
import { expect, test } from 'vitest';
import { startCommand } from './support/command.ts';

test.each(['SIGTERM', 'SIGINT'] as const)(
	'after %s every request that had a response is in the log, in order',
	{ tags: 'long' },
	async (signal) => {
		const { url, child: service, exited, output } = await startCommand(['start', '--port', '0']);
		const ids = Array.from({ length: 200 }, (_, index) => `request-${index}`);
		for (const id of ids) await fetch(`${url}/healthz`, { headers: { 'x-request-id': id } });
		service.kill(signal);
		await exited;
		const logged = output()
			.split('\n')
			.filter((line) => line.startsWith('{'))
			.map((line) => JSON.parse(line));
		expect(logged.map(({ request }) => request).filter(Boolean)).toEqual(ids);
		expect(logged.at(-1)).toMatchObject({ msg: 'Stopping' });
	},
);
