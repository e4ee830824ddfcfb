// The test service with emulated boards: firmware runs without hardware.
import { sampleFirmware } from 'board-access-agent/samples';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestService, type TestService } from '../../src/testing.ts';
import { createUser } from '../support/bench.ts';

let service: TestService;
beforeAll(async () => {
	service = await createTestService({ agent: true });
});
afterAll(() => service.close());

const user = () =>
	createUser(
		{ send: (path, init) => service.fetch(`http://localhost${path}`, init) },
		service.demo.apiKey,
	);

test.each(['arduino-uno', 'rp2040-pico'] as const)('an emulated %s runs firmware', async (type) => {
	const lease = await user().activeLease({ board_type: type });
	const { body } = await user().json(`/leases/${lease.id}/actions`);
	for (const { status } of body.data) expect(status).toBe('done');
	expect(await user().flash(lease.id, await sampleFirmware(type))).toMatchObject({
		status: 'done',
	});
	const output = await user().console(lease.id);
	await output.see('Hello from');
	await user().type(lease.id, 'pass\r');
	await output.see('PASS');
	await user().release(lease.id);
	await output.ended;
});

test('boards without an agent can be leased, but have no actions', async () => {
	const lease = await user().activeLease({ board_type: 'esp32-c6' });
	const { status, body } = await user().json(`/leases/${lease.id}/actions`, 'POST', {
		action: 'reset',
	});
	expect({ status, code: body.error.code }).toEqual({ status: 409, code: 'board_has_no_agent' });
	expect((await user().json(`/boards/${lease.board_id}`)).body.description).toContain('no agent');
});
