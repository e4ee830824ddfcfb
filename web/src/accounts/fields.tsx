// The fields of the forms of accounts.
import { Field, type FieldProps } from '../elements/form.tsx';

type ShownProps = Partial<Pick<FieldProps, 'name' | 'label' | 'help'>>;

export function EmailField() {
	const input = { type: 'email', autocomplete: 'username', maxlength: 254, autofocus: true };
	return <Field name="email" label="Email address" input={input} />;
}

export function PasswordField({ fresh, ...props }: ShownProps & { fresh?: boolean }) {
	const autocomplete = fresh ? 'new-password' : 'current-password';
	const input = { type: 'password', autocomplete, maxlength: 128 };
	return <Field name="password" label="Password" secret input={input} {...props} />;
}

export const recoveryHelp = 'Without your app, enter one of your recovery codes.';

/** Takes a code of an authenticator app or, by default, a recovery code. */
export function CodeField({
	input = { maxlength: 40, autocapitalize: 'off' },
	...props
}: ShownProps & Pick<FieldProps, 'input'>) {
	const attributes = { autocomplete: 'one-time-code', ...input };
	return <Field name="code" label="Code" secret {...props} input={attributes} />;
}

export const codeSentences = {
	code: (message: string) =>
		message.includes('cannot')
			? 'The service cannot check codes of your app at the moment. Enter a recovery code, or ask the operator.'
			: 'The code is not correct, or it was already used. Wait for the next one.',
};

/** Tells password managers which account the password belongs to. */
export function AccountName({ email, name = 'email' }: { email: string; name?: string }) {
	return <input type="hidden" name={name} autocomplete="username" value={email} />;
}

export const passwordHelp = 'At least 8 characters. A long sentence works best.';

/** Why a password is rejected, in a sentence. */
export function explainPassword(message: string) {
	if (message.includes('common')) return 'This password is too common. Use another one.';
	if (message.includes('address')) return 'Do not use your email address as the password.';
	return 'Use a password of 8 to 128 characters.';
}
