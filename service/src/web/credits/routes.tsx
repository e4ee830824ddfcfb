// The credits of an account: balance, prices, ledger, top-up.
import { randomUUID } from 'node:crypto';
import { createBoardRates } from '../../boards/rates.ts';
import { sandbox } from '../../credits/payment.ts';
import { creditBalance } from '../../credits/store.ts';
import { topUp } from '../../credits/top-up.ts';
import { ApiError } from '../../errors.ts';
import type { ServiceApp } from '../../http/environment.ts';
import type { Parts } from '../../parts.ts';
import { invalid } from '../../validation.ts';
import { ask } from '../elements/question.tsx';
import { Credits, Name } from '../elements/text.tsx';
import { readForm, readLine } from '../form.ts';
import { goTo, type MemberVisit, type Page, type Pages, submitForm } from '../pages.tsx';
import { withQuery } from '../paths.ts';
import { type Purpose, showCredits } from './credits-page.tsx';

type Show = (visit: MemberVisit, purpose: Purpose, error?: ApiError) => Promise<Page>;

export function creditPages(app: ServiceApp, { forMembers }: Pages, { database }: Parts) {
	const boardRates = createBoardRates(database.query);
	const show: Show = async (visit, purpose, error) =>
		showCredits(visit, { rates: await boardRates(), purpose, error });
	app.get(
		'/credits',
		forMembers((visit) => show(visit, purposeOf(visit))),
	);
	app.get(
		'/credits/top-up',
		forMembers((visit) => askToTopUp(visit, show)),
	);
	app.post(
		'/credits/top-up',
		forMembers((visit) => confirmTopUp(visit, show)),
	);
}

function purposeOf({ c }: MemberVisit): Purpose {
	return { forKey: c.req.query('for') === 'key', label: readLine(c, 'label') };
}

function requirePayments({ payments }: Parts) {
	if (payments) return payments;
	throw new ApiError('not_found', 'This service takes no payments.');
}

function checkAmount(text: string) {
	if (/^[1-9]\d{0,4}$/.test(text)) return Number(text);
	throw invalid([{ path: 'credits', message: 'Choose one of the amounts below.' }]);
}

function askToTopUp(visit: MemberVisit, show: Show) {
	const payments = requirePayments(visit.parts);
	const purpose = purposeOf(visit);
	const forKey = purpose.forKey ? { for: 'key', label: purpose.label } : {};
	const { query } = visit.parts.database;
	const { id, email } = visit.account;
	return submitForm({
		change: async () => {
			const credits = checkAmount(visit.c.req.query('credits') ?? '');
			const balance = await creditBalance(query, id);
			return ask(visit, 'Top up credits', {
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
				harmful: false,
			});
		},
		again: (error) => show(visit, purpose, error),
	});
}

async function confirmTopUp(visit: MemberVisit, show: Show) {
	const { c, account, parts } = visit;
	const sent = await readForm(c, ['credits', 'account', 'token', 'for', 'label']);
	const purpose = { forKey: sent.for === 'key', label: sent.label };
	const provider = requirePayments(parts);
	return submitForm({
		change: async () => {
			const credits = checkAmount(sent.credits);
			if (sent.account !== account.id || !/^[\w-]{1,100}$/.test(sent.token)) {
				// Somebody else has logged in since, or the form is not one of ours.
				const message = `Nothing was booked. You are logged in as ${account.email}: choose the amount again.`;
				throw invalid([{ path: 'credits', message }]);
			}
			// The token identifies the form, so that sending it twice books once.
			const idempotencyKey = `${account.id} ${sent.token}`;
			await topUp(parts.database, provider, { accountId: account.id, credits, idempotencyKey });
			const after = purpose.forKey ? withQuery('/keys/new', { label: sent.label }) : '/credits';
			return goTo(c, after, 'topped-up');
		},
		again: (error) => show(visit, purpose, error),
		sentences: {
			credits: (message) => message,
			amount: 'This form has already booked another amount. Choose the amount again.',
		},
	});
}
