// Credits on the pages, with and without a payment provider.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ledger } from '../../../web/src/credits/ledger.tsx';
import { AskForCredits } from '../../../web/src/elements/text.tsx';
import { createService, type Service } from '../../src/service.ts';
import { createTestService, type TestService } from '../../src/testing.ts';
import { openPage, sendForm, signUp, topUp, topUpForm } from './support/lab.ts';

let service: TestService;
let plain: Service;
beforeAll(async () => {
	service = await createTestService();
	plain = await createService();
});
afterAll(() => Promise.all([service.close(), plain.close()]));

test('a top-up appears in the ledger and puts the account on the paid tier', async () => {
	const cookie = await signUp(service, 'top-up@example.com');
	await topUp(service, { credits: '25' }, cookie);
	const text = await (await openPage(service, '/credits', cookie)).text();
	expect(text).toContain('25 credits');
	expect(text).toContain('Paid tier');
	expect(text).toContain('Top-up');
});

test.each(['', '-5', '0', '1e9', 'ten'])('an amount of "%s" is rejected', async (credits) => {
	const cookie = await signUp(service, `amount-${Math.random()}@example.com`);
	const asked = await openPage(service, `/credits/top-up?credits=${credits}`, cookie);
	expect(asked.status).toBe(400);
	const fields = { ...(await topUpForm(service, { credits: '25' }, cookie)), credits };
	const sent = await sendForm(service, '/credits/top-up', fields, cookie);
	expect(sent.status).toBe(400);
	expect(await sent.text()).toContain('0 credits');
});

const balanceOf = async (cookie: string) =>
	/<p class="figure"><span class="number">([^<]+)/.exec(
		await (await openPage(service, '/credits', cookie)).text(),
	)?.[1];

test('a top-up asks for confirmation with the account and both balances, and books nothing yet', async () => {
	const cookie = await signUp(service, 'asked@example.com');
	const question = await (await openPage(service, '/credits/top-up?credits=25', cookie)).text();
	expect(question).toContain('Top up these credits?');
	expect(question).toContain('asked@example.com');
	expect(question).toContain('Balance afterwards');
	expect(await balanceOf(cookie)).toBe('0 credits');
});

test('a double click books once, and so does a retry', async () => {
	const cookie = await signUp(service, 'double@example.com');
	const fields = await topUpForm(service, { credits: '25' }, cookie);
	const send = () => sendForm(service, '/credits/top-up', fields, cookie);
	const answers = [...(await Promise.all([send(), send()])), await send()];
	expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
	expect(await balanceOf(cookie)).toBe('25 credits');
	const other = { ...fields, credits: '500' };
	const changed = await sendForm(service, '/credits/top-up', other, cookie);
	expect(changed.status).toBe(400);
	expect(await changed.text()).toContain('already booked another amount');
});

test('a form without a token, or of another account, books nothing', async () => {
	const cookie = await signUp(service, 'bound@example.com');
	const other = await signUp(service, 'bound-too@example.com');
	const fields = await topUpForm(service, { credits: '25' }, other);
	for (const sent of [fields, { ...fields, token: '' }, { credits: '25' }]) {
		const answer = await sendForm(service, '/credits/top-up', sent, cookie);
		expect(answer.status).toBe(400);
		expect(await answer.text()).toContain('You are logged in as bound@example.com');
	}
	const without = { ...(await topUpForm(service, { credits: '25' }, cookie)), token: '' };
	expect((await sendForm(service, '/credits/top-up', without, cookie)).status).toBe(400);
	expect(await balanceOf(cookie)).toBe('0 credits');
});

test('the page says what credits buy, and what the paid tier allows', async () => {
	const cookie = await signUp(service, 'prices@example.com');
	const page = await (await openPage(service, '/credits', cookie)).text();
	expect(page).toContain('href="/boards?sort=price"');
	expect(page).toContain('The paid tier can also create API keys.');
});

test('each entry of the ledger has its reference, and that of a lease links to it', async () => {
	const cookie = await signUp(service, 'ledger@example.com', { paid: true });
	const account = /acc_[0-9a-f]{24}/.exec(
		await (await openPage(service, '/account', cookie)).text(),
	)?.[0];
	const page = await (await openPage(service, '/credits', cookie)).text();
	expect(page).toContain(`sandbox ${account}`);
	const lease = {
		id: 'crd_1',
		account_id: 'acc_1',
		amount: -3,
		reason: 'lease' as const,
		reference: 'lease lse_1',
		created_at: new Date().toISOString(),
	};
	expect(String(ledger([lease], true))).toContain('href="/leases/lse_1"');
	expect(String(ledger([lease], false))).not.toContain('href');
});

test('an administrator is the operator, and is led to where credits are granted', () => {
	const account = { id: 'acc_1', role: 'admin' } as const;
	const text = String(AskForCredits({ account, contact: undefined }));
	expect(text).toContain('Grant yourself credits on <a href="/admin/accounts/acc_1">');
});

test('a service without payments refers to the operator, and rejects a top-up', async () => {
	const cookie = await signUp(plain, 'plain@example.com');
	const credits = await (await openPage(plain, '/credits', cookie)).text();
	expect(credits).toContain('Ask the operator of this service to grant you');
	expect(credits).not.toContain('/credits/top-up');
	const key = await (await openPage(plain, '/keys/new', cookie)).text();
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
