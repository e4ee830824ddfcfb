// Tests a board with node:test.
//   node --test --test-global-setup=examples/testing/service.ts examples/testing/uno.node-test.ts
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boardTest } from 'board-access/node-test';

const firmware = new URL('../../agent/firmware/uno-sample.hex', import.meta.url);
const onBoard = boardTest({ boardType: 'arduino-uno', firmware });

test(
	'says hello after a reset',
	onBoard(async ({ lease }) => {
		const { before } = await lease.console.expect('Hello from Arduino Uno');
		assert.equal(before.trim(), '');
	}),
);

test(
	'replies in capital letters',
	onBoard(async ({ lease }) => {
		await lease.console.write('hello board\r');
		await lease.console.expectLine('HELLO BOARD');
	}),
);
