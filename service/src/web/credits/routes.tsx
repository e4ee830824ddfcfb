// The credits of an account: balance, prices, ledger, top-up.
import { randomUUID } from 'node:crypto';
import type { Account } from '../../accounts/store.ts';
import { createBoardRates } from '../../boards/rates.ts';
import { sandbox } from '../../credits/payment.ts';
import { creditBalance, listCredits } from '../../credits/store.ts';
import { isPaidTier } from '../../credits/tier.ts';
import { topUp } from '../../credits/top-up.ts';
import { ApiError } from '../../errors.ts';
import type { ServiceApp } from '../../http/environment.ts';
import type { Parts } from '../../parts.ts';
import { invalid } from '../../validation.ts';
import { inPlainWords, readForm, readLine, refusal } from '../form.ts';
import { goTo, type MemberVisit, type Pages, refused } from '../pages.tsx';
import { withQuery } from '../paths.ts';
import { ConfirmTopUp } from './confirm-top-up.tsx';
import { CreditsPage } from './credits-page.tsx';

export function creditPages(
	app: ServiceApp,
	{ database, payments, settings }: Pick<Parts, 'database' | 'payments' | 'settings'>,
	{ forMembers }: Pages,
) {
	const { query } = database;
	const boardRates = createBoardRates(query);

	const show = async ({ account }: MemberVisit, purpose: Purpose, error?: ApiError) => ({
		title: 'Credits',
		main: (
			<CreditsPage
				{...purpose}
				error={error}
				balance={await creditBalance(query, account.id)}
				entries={await listCredits(query, account.id)}
				rates={await boardRates()}
				account={account}
				paid={await isPaidTier(query, account.id)}
				canTopUp={payments !== undefined}
				contact={settings.contact}
				sandbox={payments === sandbox}
				baseUrl={settings.baseUrl}
			/>
		),
	});

	app.get(
		'/credits',
		forMembers((visit) => {
			const forKey = visit.c.req.query('for') === 'key';
			return show(visit, { forKey, label: readLine(visit.c, 'label') });
		}),
	);

	const requirePayments = () => {
		if (payments) return payments;
		throw new ApiError('not_found', 'This service takes no payments.');
	};

	const checkAmount = (text: string) => {
		if (/^[1-9]\d{0,4}$/.test(text)) return Number(text);
		throw invalid([{ path: 'credits', message: 'Choose one of the amounts below.' }]);
	};

	app.get(
		'/credits/top-up',
		forMembers(async (visit) => {
			requirePayments();
			const { c, account } = visit;
			const forKey = c.req.query('for') === 'key';
			const purpose = { forKey, label: readLine(c, 'label') };
			const asked = async () => checkAmount(c.req.query('credits') ?? '');
			const credits = await asked().catch(refusal);
			if (credits instanceof ApiError) return refused(await show(visit, purpose, credits), credits);
			const main = (
				<ConfirmTopUp
					credits={credits}
					balance={await creditBalance(query, account.id)}
					email={account.email}
					sandbox={payments === sandbox}
					back={forKey ? withQuery('/credits', { for: 'key', label: purpose.label }) : '/credits'}
					values={{
						credits: String(credits),
						account: account.id,
						token: randomUUID(),
						for: forKey ? 'key' : undefined,
						label: forKey ? purpose.label : undefined,
					}}
				/>
			);
			return { title: 'Top up credits', main };
		}),
	);

	const book = async (account: Account, sent: TopUpForm) => {
		const provider = requirePayments();
		const credits = checkAmount(sent.credits);
		if (sent.account !== account.id || !/^[\w-]{1,100}$/.test(sent.token)) {
			// Somebody else has logged in since, or the form is not one of ours.
			const message = `Nothing was booked. You are logged in as ${account.email}: choose the amount again.`;
			throw invalid([{ path: 'credits', message }]);
		}
		const idempotencyKey = `${account.id} ${sent.token}`;
		await topUp(database, provider, { accountId: account.id, credits, idempotencyKey });
	};

	app.post(
		'/credits/top-up',
		forMembers(async (visit) => {
			const { c, account } = visit;
			const sent = await readForm(c, ['credits', 'account', 'token', 'for', 'label']);
			const purpose = { forKey: sent.for === 'key', label: sent.label };
			const done = await book(account, sent).catch(refusal);
			if (done instanceof ApiError && done.code === 'not_found') throw done;
			if (done instanceof ApiError) {
				const error = inPlainWords(done, sentences);
				return refused(await show(visit, purpose, error), error);
			}
			const after = purpose.forKey ? withQuery('/keys/new', { label: sent.label }) : '/credits';
			return goTo(c, after, 'topped-up');
		}),
	);
}

interface TopUpForm {
	credits: string;
	/** The account that saw the question. */
	account: string;
	/** Identifies this form, so that sending it twice books once. */
	token: string;
}

const sentences = {
	credits: (message: string) => message,
	amount: 'This form has already booked another amount. Choose the amount again.',
};

/** Whether the top-up is a step towards a new key, and the label of that key. */
interface Purpose {
	forKey: boolean;
	label: string;
}
