// The credits of an account: balance, ledger, top-up.
import { sandbox } from '../../credits/payment.ts';
import { creditBalance, listCredits } from '../../credits/store.ts';
import { isPaidTier } from '../../credits/tier.ts';
import { topUp } from '../../credits/top-up.ts';
import { ApiError } from '../../errors.ts';
import type { ServiceApp } from '../../http/environment.ts';
import type { Parts } from '../../parts.ts';
import { invalid } from '../../validation.ts';
import { readForm, readLine } from '../form.ts';
import { goTo, type MemberVisit, type Pages, refused } from '../pages.tsx';
import { withQuery } from '../paths.ts';
import { CreditsPage } from './credits-page.tsx';

export function creditPages(
	app: ServiceApp,
	{ database, payments, settings }: Pick<Parts, 'database' | 'payments' | 'settings'>,
	{ forMembers }: Pages,
) {
	const { query } = database;

	const show = async ({ account }: MemberVisit, purpose: Purpose, error?: ApiError) => ({
		title: 'Credits',
		main: (
			<CreditsPage
				{...purpose}
				error={error}
				balance={await creditBalance(query, account.id)}
				entries={await listCredits(query, account.id)}
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

	app.post(
		'/credits/top-up',
		forMembers(async (visit) => {
			if (!payments) throw new ApiError('not_found', 'This service takes no payments.');
			const { c, account } = visit;
			const sent = await readForm(c, ['credits', 'for', 'label']);
			const purpose = { forKey: sent.for === 'key', label: sent.label };
			if (!/^[1-9]\d{0,4}$/.test(sent.credits)) {
				const error = invalid([{ path: 'credits', message: 'Choose one of the amounts below.' }]);
				return refused(await show(visit, purpose, error), error);
			}
			await topUp(database, payments, { accountId: account.id, credits: Number(sent.credits) });
			const after = purpose.forKey ? withQuery('/keys/new', { label: sent.label }) : '/credits';
			return goTo(c, after, 'topped-up');
		}),
	);
}

/** Whether the top-up is a step towards a new key, and the label of that key. */
interface Purpose {
	forKey: boolean;
	label: string;
}
