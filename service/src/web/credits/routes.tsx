// Credits: the balance, what it came from, and more of them.
import { sandbox } from '../../credits/payment.ts';
import { creditBalance, listCredits } from '../../credits/store.ts';
import { isPaidTier } from '../../credits/tier.ts';
import { topUp } from '../../credits/top-up.ts';
import { ApiError } from '../../errors.ts';
import type { ServiceApp } from '../../http/environment.ts';
import type { Parts } from '../../parts.ts';
import { invalid } from '../../validation.ts';
import { readForm, readLine } from '../form.ts';
import { withQuery } from '../local-path.ts';
import { goTo, type MemberVisit, type Pages, refused } from '../page.tsx';
import { CreditsPage } from './page.tsx';

export function creditPages(
	app: ServiceApp,
	{ database, payments, settings }: Pick<Parts, 'database' | 'payments' | 'settings'>,
	{ forMembers }: Pages,
) {
	const { query } = database;

	const show = async ({ account }: MemberVisit, purpose: Purpose, fault?: ApiError) => ({
		title: 'Credits',
		main: (
			<CreditsPage
				{...purpose}
				fault={fault}
				balance={await creditBalance(query, account.id)}
				entries={await listCredits(query, account.id)}
				paid={await isPaidTier(query, account.id)}
				canTopUp={payments !== undefined}
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
				const fault = invalid([{ path: 'credits', message: 'must be one of the amounts below' }]);
				return refused(await show(visit, purpose, fault), fault);
			}
			await topUp(database, payments, { accountId: account.id, credits: Number(sent.credits) });
			const after = purpose.forKey ? withQuery('/keys/new', { label: sent.label }) : '/credits';
			return goTo(c, after, 'topped-up');
		}),
	);
}

/** Why somebody tops up: to create a key, whose label is kept meanwhile, or just so. */
interface Purpose {
	forKey: boolean;
	label: string;
}
