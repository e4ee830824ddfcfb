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

test('a top-up appears in the ledger and puts the account on the paid tier', async () => {
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

test('a service without payments refers to the operator, and rejects a top-up', async () => {
	const cookie = await signUp(plain, 'plain@example.com');
	const credits = await (await openPage(plain, '/credits', cookie)).text();
	expect(credits).toContain('Ask the operator of this service to grant you');
	expect(credits).not.toContain('/credits/top-up');
	const key = await (await openPage(plain, '/keys/new?label=ci', cookie)).text();
	expect(key).toContain('Ask the operator of this service');
	expect((await sendForm(plain, '/credits/top-up', { credits: '25' }, cookie)).status).toBe(404);
});

test.each([
	['lab@example.com', '<a href="mailto:lab@example.com">lab@example.com</a>'],
	['https://lab.example.com/help', '<a href="https://lab.example.com/help">'],
	['Ann at the front desk', '<bdi>Ann at the front desk</bdi>'],
	['javascript:alert(1)', '<bdi>javascript:alert(1)</bdi>'],
])('a service without payments names its contact: %s', async (contact, shown) => {
	const lab = await createService({ contact });
	const cookie = await signUp(lab, 'asking@example.com');
	for (const path of ['/credits', '/keys/new']) {
		expect(await (await openPage(lab, path, cookie)).text()).toContain(shown);
	}
	await lab.close();
});
