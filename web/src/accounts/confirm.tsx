// Asks members to confirm who they are before a change that a stolen session must not make.
import { errorStatuses } from 'board-access-contract';
import { type ApiError, confirmMember, type Member, requireConfirmation } from 'board-access-core';
import type { ServiceContext } from 'board-access-http/environment';
import { CardForm } from '../elements/form.tsx';
import { readForm, sentFields } from '../form.ts';
import type { MemberVisit, Page } from '../pages.tsx';
import { AccountName, CodeField, PasswordField, recoveryHelp } from './fields.tsx';

/**
 * Checks the password or code in the form. A form without one is rejected, unless the member confirmed lately.
 * With `always`, it is always rejected: the change could take the account from its owner.
 */
export async function confirm(
	{ c, account, services, visitor }: MemberVisit,
	{ always = false } = {},
) {
	const fields = ['confirmation'] as const;
	const { confirmation = '' } = c.req.method === 'POST' ? await readForm(c, fields) : {};
	if (confirmation) {
		services.cookies.send(c, await confirmMember(services, visitor, account, confirmation));
		// The session may have ended while the password was hashed.
		await c.get('confirmCaller')?.();
	} else requireConfirmation({ confirmed: account.confirmed && !always });
}

/**
 * Asks for the password, or for a code with two-factor authentication. The form that was sent is sent again
 * with it, so that nothing is entered twice.
 */
export async function askToConfirm(
	c: ServiceContext,
	{ email, twoFactor }: Member,
	thrown: ApiError,
): Promise<Page> {
	const { pathname, search } = new URL(c.req.url);
	const sent = c.req.method === 'GET' ? [] : [...(await sentFields(c))];
	const title = 'Confirm that it is you';
	const what = twoFactor ? 'a code of your authenticator app' : 'your password';
	const form = { title, lead: `Enter ${what} to continue.`, submit: 'Continue' };
	if (thrown.details.errors) c.set('filled', { values: {}, error: thrown });
	const main = (
		<CardForm {...form} action={pathname + search} values={{ token: undefined }}>
			{sent.map(
				([name, value]) =>
					!name.startsWith('confirmation') && <input type="hidden" name={name} value={value} />,
			)}
			{twoFactor ? (
				<CodeField name="confirmation" help={recoveryHelp} />
			) : (
				<>
					<AccountName name="confirmation_email" email={email} />
					<PasswordField name="confirmation" />
				</>
			)}
		</CardForm>
	);
	return { title, main, status: errorStatuses.confirmation_required };
}
