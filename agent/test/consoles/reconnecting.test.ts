// A console that accepts no input or does not close, in virtual time.
import { expect, test } from 'vitest';
import type { Connection } from '../../src/consoles/reconnecting.ts';
import { ReconnectingConsole } from '../../src/consoles/reconnecting.ts';
import type { Hardware } from '../../src/drivers/hardware.ts';
import { messageOf } from '../../src/errors.ts';
import { pass, recordingHardware, startInVirtualTime, useVirtualTime } from '../support/virtual.ts';

const lab = 'lab:2000';
const never = () => new Promise<void>(() => {});

/** A board whose console stays connected and never takes a byte. */
function stuckBoard(close = async () => {}) {
	const { hardware, record } = recordingHardware();
	const stuck = new ReconnectingConsole(async () => ({ write: never, close }), lab);
	const board: Hardware = {
		...hardware,
		async open(events) {
			stuck.open(events);
			await hardware.open(events);
		},
		write: (bytes) => stuck.write(bytes),
		async close() {
			await stuck.close().finally(hardware.close);
		},
	};
	return { board, record };
}

test('a console that accepts no input gets a notice after 5 s, and the board continues', async () => {
	const { board } = stuckBoard();
	const { service } = await startInVirtualTime({ hardwareOf: () => board });
	const lease = service.grant('real');
	service.write(lease, 'typed');
	const reset = service.request(lease, 'reset');
	await pass(6_000);
	expect(service.output(lease)).toContain(
		'5 bytes of input may not have arrived: lab:2000 does not accept',
	);
	expect(reset.status).toBe('done');
});

test('control lines that are never set are an error after 5 s', async () => {
	useVirtualTime();
	const connection = { write: never, setLines: never, close: async () => {} };
	const lab2000 = new ReconnectingConsole(async () => connection, lab);
	lab2000.open({ output() {}, lost() {}, connected() {} });
	const error = lab2000.setLines({ dtr: true }).catch(messageOf);
	await pass(6_000);
	expect(await Promise.race([error, 'still waiting'])).toMatch('lab:2000 does not set');
	await lab2000.close();
});

test('a console that accepts no input does not keep the next lease from the board', async () => {
	const { board, record } = stuckBoard();
	const { service } = await startInVirtualTime({ hardwareOf: () => board });
	service.write(service.grant('real'), 'typed');
	await pass(1_000);
	service.grant('real');
	await pass(6_000);
	expect(record).toEqual(['open', 'close', 'open']);
});

test('a console that does not close is an error after 5 s, and the next lease gets the board', async () => {
	let closes = 0;
	const { board, record } = stuckBoard(() => (closes++ === 0 ? never() : Promise.resolve()));
	const { service, logged } = await startInVirtualTime({ hardwareOf: () => board });
	service.grant('real');
	await pass(1_000);
	service.grant('real');
	await pass(6_000);
	expect(record).toEqual(['open', 'close', 'open']);
	expect(logged).toContain('Releasing the board failed');
});

test('a lost connection that does not close is replaced after 5 s', async () => {
	useVirtualTime();
	const events: string[] = [];
	const lab2000 = new ReconnectingConsole(async ({ closed }) => {
		events.push('connect');
		if (events.length === 1) closed('reset by the peer');
		return { write: never, close: events.length === 1 ? never : async () => {} };
	}, lab);
	lab2000.open({
		output() {},
		lost: (reason) => events.push(reason),
		connected: () => events.push('connected'),
	});
	await pass(6_000);
	await lab2000.close();
	expect(events).toEqual(['connect', 'connected', 'reset by the peer', 'connect', 'connected']);
});

test('a console that never opens does not keep the board, and is closed if it opens later', async () => {
	useVirtualTime();
	const events: string[] = [];
	const connecting = Promise.withResolvers<Connection>();
	const lab2000 = new ReconnectingConsole(() => connecting.promise, lab);
	lab2000.open({ output() {}, lost: (reason) => events.push(reason), connected() {} });
	await pass(6_000);
	expect(events).toEqual(['lab:2000 does not open']);
	const closed = lab2000.close().then(() => events.push('closed'));
	await pass(5_000);
	await closed;
	const checked = expect(lab2000.check()).rejects.toThrow('lab:2000 does not open');
	await pass(5_000);
	await checked;
	connecting.resolve({ write: never, close: async () => void events.push('closed later') });
	await pass(0);
	expect(new Set(events)).toEqual(new Set(['lab:2000 does not open', 'closed', 'closed later']));
});

test('a console that is closed while it connects does not report a connection', async () => {
	const events: string[] = [];
	const connecting = Promise.withResolvers<Connection>();
	const lab2000 = new ReconnectingConsole(() => connecting.promise, lab);
	lab2000.open({ output() {}, lost() {}, connected: () => events.push('connected') });
	const closed = lab2000.close();
	connecting.resolve({ write: never, close: async () => void events.push('closed') });
	await closed;
	expect(events).toEqual(['closed']);
});
