// Two-factor authentication of the visitor: set up, managed, turned off.

import { requireRecentPassword } from '../../accounts/sessions/sessions.ts';
import { countRecoveryCodes, setUpTwoFactor } from '../../accounts/two-factor.ts';
import type { ApiError } from '../../errors.ts';
import type { ServiceApp } from '../../http/environment.ts';
import { ask } from '../elements/question.tsx';
import { Name } from '../elements/text.tsx';
import { readForm } from '../form.ts';
import { goTo, type MemberVisit, type Pages, submitForm } from '../pages.tsx';
import {
	codeSentences,
	RecoveryCodes,
	TwoFactorSetup,
	TwoFactorStatus,
} from './two-factor-page.tsx';
import { visitorOf } from './visitor.ts';

const path = '/account/two-factor';
const title = 'Two-factor authentication';

export function twoFactorPages(app: ServiceApp, { forMembers }: Pages) {
	app.get(path, forMembers(show));
	app.post(path, forMembers(enable));
	app.post(`${path}/codes`, forMembers(renewCodes));
	app.get(`${path}/off`, forMembers(askToDisable));
	app.post(`${path}/off`, forMembers(disable));
}

async function show(visit: MemberVisit) {
	const { account, parts } = visit;
	if (account.twoFactor) {
		const left = await countRecoveryCodes(parts.database.query, account.id);
		return { title, main: <TwoFactorStatus left={left} /> };
	}
	// With the secret, anyone can make codes; turning it on can lock the owner out.
	requireRecentPassword(account);
	return setup(visit);
}

async function setup({ account, parts }: MemberVisit, error?: ApiError) {
	const secret = await setUpTwoFactor(parts, account);
	return { title, main: <TwoFactorSetup setup={secret} error={error} /> };
}

async function enable(visit: MemberVisit) {
	const { c, account, parts } = visit;
	if (account.twoFactor) return goTo(c, path);
	requireRecentPassword(account);
	const { code } = await readForm(c, ['code']);
	return submitForm({
		change: async () =>
			recoveryCodes(await parts.accounts.enableTwoFactor(visitorOf(visit), account, code)),
		again: (error) => setup(visit, error),
		sentences: codeSentences,
	});
}

async function renewCodes({ c, account, parts }: MemberVisit) {
	if (!account.twoFactor) return goTo(c, path);
	requireRecentPassword(account);
	return recoveryCodes(await parts.accounts.renewRecoveryCodes(account.id));
}

function recoveryCodes(codes: string[]) {
	return { title: 'Your recovery codes', main: <RecoveryCodes codes={codes} /> };
}

function askToDisable(visit: MemberVisit) {
	return ask(visit, 'Turn off two-factor authentication', {
		title: 'Turn off two-factor authentication?',
		lead: 'A log-in then needs only your password. Your recovery codes no longer work.',
		facts: [['Account', <Name>{visit.account.email}</Name>]],
		cancel: path,
		submit: 'Turn off',
	});
}

async function disable({ c, account, parts }: MemberVisit) {
	requireRecentPassword(account);
	await parts.accounts.disableTwoFactor(account.id);
	return goTo(c, '/account', 'two-factor-off');
}
