// Credits on the pages, with a payment provider and without.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createService, type Service } from '../../src/service.ts';
import { createTestService, type TestService } from '../../src/testing.ts';
import { openPage, sendForm, signUp } from './support/lab.ts';

let service: TestService;
let plain: Service;
beforeAll(async () => {
	service = await createTestService();
	plain = await createService();
});
afterAll(() => Promise.all([service.close(), plain.close()]));

test('a top-up is on the ledger and lifts the tier', async () => {
	const cookie = await signUp(service, 'top-up@example.com');
	await sendForm(service, '/credits/top-up', { credits: '25' }, cookie);
	const text = await (await openPage(service, '/credits', cookie)).text();
	expect(text).toContain('25 credits');
	expect(text).toContain('Paid tier');
	expect(text).toContain('Top-up');
});

test.each(['', '-5', '0', '1e9', 'ten'])('an amount of "%s" is refused', async (credits) => {
	const cookie = await signUp(service, `amount-${Math.random()}@example.com`);
	const answer = await sendForm(service, '/credits/top-up', { credits }, cookie);
	expect(answer.status).toBe(400);
	expect(await answer.text()).toContain('0 credits');
});

test('without a payment provider the operator is named, and nothing can be topped up', async () => {
	const cookie = await signUp(plain, 'plain@example.com');
	const credits = await (await openPage(plain, '/credits', cookie)).text();
	expect(credits).toContain('Ask its operator to grant you credits');
	expect(credits).not.toContain('/credits/top-up');
	const key = await (await openPage(plain, '/keys/new?label=ci', cookie)).text();
	expect(key).toContain('Ask the operator of this service');
	expect((await sendForm(plain, '/credits/top-up', { credits: '25' }, cookie)).status).toBe(404);
});
