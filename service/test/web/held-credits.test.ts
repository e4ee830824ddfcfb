// The credits that live leases hold.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestService, type TestService } from '../../src/testing.ts';
import { openPage, sendForm, signUp } from './support/lab.ts';

let service: TestService;
beforeAll(async () => {
	service = await createTestService();
});
afterAll(() => service.close());

test.each(['/credits', '/leases', '/boards'])(
	'while a lease holds credits, %s says how many are available',
	async (path) => {
		const cookie = await signUp(service, `${path.slice(1)}@example.com`, { paid: true });
		const text = async () => (await openPage(service, path, cookie)).text();
		expect(await text()).not.toContain('held for leases');
		const used = await sendForm(
			service,
			'/boards/brd_arduino-uno-02/use',
			{ minutes: '10' },
			cookie,
		);
		expect(await text()).toMatch(
			/20 credits<\/span> held for leases, .*80 credits<\/span> available/,
		);
		const lease = used.headers.get('location');
		await sendForm(service, `${lease}/release`, { confirmed: 'true' }, cookie);
		expect(await text()).not.toContain('held for leases');
	},
);
