// Has members confirm who they are before something that a stolen session must not do.
import { confirmationRequired, requireConfirmation } from '../../accounts/sessions/sessions.ts';
import { readForm } from '../form.ts';
import type { MemberVisit } from '../pages.tsx';
import { sendCookies } from './cookies.ts';

/**
 * Checks the password or code that the form brings with it. A form without one is rejected unless the
 * member confirmed lately, or in any case if it could take the account from its owner.
 */
export async function confirm(
	{ c, account, parts, visitor }: MemberVisit,
	{ always = false } = {},
) {
	const fields = ['confirmation'] as const;
	const { confirmation = '' } = c.req.method === 'POST' ? await readForm(c, fields) : {};
	if (confirmation) sendCookies(c, await parts.accounts.confirm(visitor, account, confirmation));
	else if (always) throw confirmationRequired();
	else requireConfirmation(account);
}
