// Tests a board with Vitest.
//   npx vitest run --root examples/testing
import { boardTest } from 'board-access/vitest';
import { expect } from 'vitest';

const firmware = new URL('../../agent/firmware/uno-sample.hex', import.meta.url);
const test = boardTest({ boardType: 'arduino-uno', firmware });

test('says hello after a reset', async ({ lease }) => {
	const { before } = await lease.console.expect('Hello from Arduino Uno');
	expect(before.trim()).toBe('');
});

test('replies in capital letters', async ({ lease }) => {
	await lease.console.write('hello board\r');
	await lease.console.expectLine('HELLO BOARD');
});
