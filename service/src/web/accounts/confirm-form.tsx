// Asks for the password again before something that a stolen session must not do. It holds the form
// that led here, so that nothing has to be entered twice.
import type { ApiError } from '../../errors.ts';
import { AccountName, CardForm, PasswordField } from './card-form.tsx';

interface ConfirmFormProps {
	email: string;
	to: string;
	method: 'get' | 'post';
	/** The fields of the form that led here. */
	fields: readonly (readonly [name: string, value: string])[];
	error?: ApiError;
}

export function ConfirmForm({ email, to, method, fields, error }: ConfirmFormProps) {
	return (
		<CardForm
			title="Confirm that it is you"
			lead="Enter your password to continue. It is not asked for again for 15 minutes."
			action="/confirm"
			submit="Continue"
			values={{ confirm_to: to, confirm_method: method }}
			error={error}
		>
			<AccountName name="confirm_email" email={email} />
			{fields.map(([name, value]) => (
				<input type="hidden" name={name} value={value} />
			))}
			<PasswordField name="confirm_password" error={error} />
		</CardForm>
	);
}
