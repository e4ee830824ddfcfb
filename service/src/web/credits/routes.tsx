// The credits of an account: balance, prices, ledger, top-up.
import { randomUUID } from 'node:crypto';
import { createBoardRates } from '../../boards/rates.ts';
import { sandbox } from '../../credits/payment.ts';
import { creditBalance } from '../../credits/store.ts';
import { topUp } from '../../credits/top-up.ts';
import { ApiError } from '../../errors.ts';
import type { Parts } from '../../parts.ts';
import { invalid } from '../../validation.ts';
import { ask } from '../elements/question.tsx';
import { Credits, Name } from '../elements/text.tsx';
import { goTo, type MemberVisit, onSubmit, type Pages } from '../pages.tsx';
import { withQuery } from '../paths.ts';
import { type Purpose, showCredits } from './credits-page.tsx';

export function creditPages({ members }: Pages, { database }: Parts) {
	const rates = createBoardRates(database.query);
	const fields = ['credits', 'account', 'token', 'for', 'label'] as const;
	const show = async (visit: MemberVisit, error?: ApiError, sent?: Purpose) =>
		showCredits(visit, { rates: await rates(), purpose: sent ?? visit.c.req.query(), error });
	members.get('/credits', (visit) => show(visit));
	members.get('/credits/top-up', onSubmit({ fields, change: askToTopUp, again: show }));
	members.post(
		'/credits/top-up',
		onSubmit({ fields, change: confirmTopUp, again: show, sentences }),
	);
}

const sentences = {
	credits: (message: string) => message,
	amount: 'This form has already booked another amount. Choose the amount again.',
};

type Sent = Record<'credits' | 'account' | 'token' | 'for' | 'label', string>;

function requirePayments({ payments }: Parts) {
	if (payments) return payments;
	throw new ApiError('not_found', 'This service takes no payments.');
}

function checkAmount(text: string) {
	if (/^[1-9]\d{0,4}$/.test(text)) return Number(text);
	throw invalid([{ path: 'credits', message: 'Choose one of the amounts below.' }]);
}

async function askToTopUp(visit: MemberVisit, sent: Sent) {
	const payments = requirePayments(visit.parts);
	const { id, email } = visit.account;
	const credits = checkAmount(sent.credits);
	const balance = await creditBalance(visit.parts.database.query, id);
	const forKey = sent.for === 'key' ? { for: 'key', label: sent.label } : {};
	return ask(visit, {
		title: 'Top up these credits?',
		lead:
			payments === sandbox
				? 'This is a demonstration: no money is taken.'
				: 'The payment is made when you confirm. A form that is sent twice pays once.',
		facts: [
			['Account', <Name>{email}</Name>],
			['Top-up', <Credits amount={credits} />],
			['Balance now', <Credits amount={balance} />],
			['Balance afterwards', <Credits amount={balance + credits} />],
		],
		cancel: withQuery('/credits', forKey),
		submit: 'Top up',
		values: { credits: String(credits), account: id, token: randomUUID(), ...forKey },
		destructive: false,
	});
}

async function confirmTopUp({ c, account, parts }: MemberVisit, sent: Sent) {
	const provider = requirePayments(parts);
	const credits = checkAmount(sent.credits);
	if (sent.account !== account.id || !/^[\w-]{1,100}$/.test(sent.token)) {
		// Somebody else has logged in since, or the form is not one of ours.
		const message = `Nothing was booked. You are logged in as ${account.email}: choose the amount again.`;
		throw invalid([{ path: 'credits', message }]);
	}
	// The token identifies the form, so that sending it twice books once.
	const idempotencyKey = `${account.id} ${sent.token}`;
	await topUp(parts.database, provider, { accountId: account.id, credits, idempotencyKey });
	const after = sent.for === 'key' ? withQuery('/keys/new', { label: sent.label }) : '/credits';
	return goTo(c, after, 'topped-up');
}
