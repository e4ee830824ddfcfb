// The credits that live leases hold.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestService, type TestService } from '../../src/testing.ts';
import { describeInBrowser, useBrowser } from './support/browser-tests.ts';
import { openPage, sendForm, signUp } from './support/lab.ts';

const newContext = useBrowser();
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

describeInBrowser('in a browser', () => {
	test('when a lease ends, the bar of its open page has the credits that are left', async () => {
		const cookie = await signUp(service, 'bar@example.com', { paid: true });
		const [name = '', value = ''] = cookie.split(/=(.*)/s);
		const baseURL = await service.listen();
		const use = '/boards/brd_arduino-uno-02/use';
		const used = await sendForm(service, use, { minutes: '10' }, cookie);
		const lease = used.headers.get('location') ?? '';
		const context = await newContext({ baseURL });
		await context.addCookies([{ name, value, url: baseURL }]);
		const page = await context.newPage();
		await page.goto(lease);
		const account = page.locator('.bar-account');
		expect(await account.textContent()).toContain('20 credits held for leases');
		await page.getByRole('button', { name: 'Release' }).click();
		await page.getByText('You released the board.').waitFor();
		expect(await account.textContent()).toMatch(/^98 credits/);
		expect(await account.textContent()).not.toContain('held for leases');
		await context.close();
	});
});
