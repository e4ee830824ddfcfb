// Asks members who they are before something that a stolen session must not do: for a code, or for the
// password where log-ins need no code. It holds the form that led here, so that nothing is entered twice.
import type { Member } from '../../accounts/sessions/sessions.ts';
import type { ApiError } from '../../errors.ts';
import { AccountName, CardForm, CodeField, PasswordField, recoveryHelp } from './card-form.tsx';

interface ConfirmFormProps {
	account: Member;
	/** Where the form that led here is sent. */
	action: string;
	fields: readonly (readonly [name: string, value: string])[];
	error: ApiError | undefined;
}

export function ConfirmForm({ account, action, fields, error }: ConfirmFormProps) {
	const lead = account.twoFactor
		? 'Enter a code of your authenticator app to continue.'
		: 'Enter your password to continue.';
	const title = 'Confirm that it is you';
	const field = { name: 'confirmation', error };
	return (
		<CardForm title={title} lead={lead} action={action} submit="Continue" values={{}} error={error}>
			{fields.map(([name, value]) => (
				<input type="hidden" name={name} value={value} />
			))}
			{account.twoFactor ? (
				<CodeField {...field} help={recoveryHelp} />
			) : (
				<>
					<AccountName name="confirmation_email" email={account.email} />
					<PasswordField {...field} />
				</>
			)}
		</CardForm>
	);
}
