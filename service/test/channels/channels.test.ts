// Channels from end to end: a client, the service, an agent with an emulated board.

import { BoardAccess } from 'board-access';
import { startAgent } from 'board-access-agent';
import { sampleFirmware } from 'board-access-agent/samples';
import { afterEach, describe, expect, test } from 'vitest';
import { onPostgres, onSqlite } from '../support/backends.ts';
import { type BenchOptions, openBench } from '../support/bench.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
	for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

interface Ways {
	/** Whether requests carry the frames of the client, and of the agent. */
	requests?: boolean;
}

async function openUno(
	opening: typeof onSqlite,
	{ requests = false, ...options }: BenchOptions & Ways = {},
) {
	const bench = await openBench(opening, { boardType: 'uno', ...options });
	cleanups.push(() => bench.close());
	const agent = await startAgent({
		config: {
			service: bench.baseUrl,
			token: bench.token,
			boards: bench.boardIds.map((id) => ({
				id,
				type: 'arduino-uno',
				driver: 'emulated' as const,
			})),
		},
		...((requests || opening === onSqlite) && { fetch: bench.fetch }),
	});
	cleanups.push(() => agent.stop());
	await agent.whenConnected();
	const { baseUrl, apiKey, fetch } = bench;
	const client = new BoardAccess({
		baseUrl,
		apiKey,
		...((requests || opening === onSqlite) && { fetch }),
	});
	const lease = await client.leases.create({ boardType: 'uno' });
	await lease.flash(await sampleFirmware('arduino-uno'));
	return { bench, agent, client, lease };
}

/** Reads text until it has this. */
async function until(readable: ReadableStream<Uint8Array>, wanted: string) {
	const decoder = new TextDecoder();
	let text = '';
	const reader = readable.getReader();
	while (!text.includes(wanted)) {
		const { done, value } = await reader.read();
		if (done) throw new Error(`The channel ended after ${text}`);
		text += decoder.decode(value, { stream: true });
	}
	reader.releaseLock();
	return text;
}

async function say(writable: WritableStream<Uint8Array>, text: string) {
	const writer = writable.getWriter();
	await writer.write(new TextEncoder().encode(text));
	writer.releaseLock();
}

describe.each([
	{ name: 'over WebSockets', opening: onPostgres, requests: false, transport: 'websocket' },
	{ name: 'over requests', opening: onPostgres, requests: true, transport: 'requests' },
	{ name: 'in one process', opening: onSqlite, requests: true, transport: 'requests' },
] as const)('$name', ({ opening, requests, transport }) => {
	test('bytes pass both ways, and what the board prints is in the console, too', async () => {
		const { lease } = await openUno(opening, { requests });
		const serial = await lease.channel('serial');
		expect(serial.transport).toBe(transport);
		await say(serial.writable, 'hello\r');
		expect(await until(serial.readable, 'HELLO')).toContain('HELLO');
		await lease.console.expect('HELLO');
		await serial.close();
		expect(await serial.closed).toBeUndefined();
	});

	test('it ends with the lease, and says so', async () => {
		const { lease } = await openUno(opening, { requests });
		const serial = await lease.channel('serial');
		await lease.release();
		expect(await serial.closed).toMatchObject({ code: 'lease_ended' });
		await expect(serial.readable.getReader().read()).rejects.toMatchObject({ code: 'lease_ended' });
	});
});

test('a port that the board does not have is named', async () => {
	const { lease } = await openUno(onSqlite);
	await expect(lease.channel('serial', { port: 'modem' })).rejects.toMatchObject({
		code: 'invalid_request',
		message: 'port modem is not a serial port of this board.',
	});
});
