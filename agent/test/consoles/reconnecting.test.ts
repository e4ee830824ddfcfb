// A console that accepts no input, in virtual time.
import { expect, test } from 'vitest';
import { ReconnectingConsole } from '../../src/consoles/reconnecting.ts';
import type { Hardware } from '../../src/drivers/hardware.ts';
import { pass, recordingHardware, startInVirtualTime } from '../support/virtual.ts';

/** A board whose console stays connected and never takes a byte. */
function stuckBoard() {
	const { hardware, record } = recordingHardware();
	const stuck = new ReconnectingConsole(
		async () => ({ write: () => new Promise(() => {}), close: async () => {} }),
		{ address: 'lab:2000', hasLines: false },
	);
	const board: Hardware = {
		...hardware,
		async open(output) {
			stuck.open({ output, lost() {}, connected() {} });
			await hardware.open(output);
		},
		write: (bytes) => stuck.write(bytes),
		async close() {
			await stuck.close();
			await hardware.close();
		},
	};
	return { board, record };
}

test('a console that accepts no input says so after 5 s, and the board goes on', async () => {
	const { board } = stuckBoard();
	const { service } = await startInVirtualTime({ hardwareOf: () => board });
	const lease = service.grant('real');
	service.write(lease, 'typed');
	const reset = service.request(lease, 'reset');
	await pass(6_000);
	expect(service.output(lease)).toContain('5 bytes of input were lost: lab:2000 does not accept');
	expect(reset.status).toBe('done');
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
