// Two-factor authentication: setting it up, and what can be done once it is on.

import type { Child } from 'hono/jsx';
import { encodeQR } from 'qr';
import type { setUpTwoFactor } from '../../accounts/two-factor.ts';
import type { ApiError } from '../../errors.ts';
import { CodeBlock } from '../elements/code.tsx';
import { Button, ButtonLink, Field, FormAlert } from '../elements/form.tsx';
import { Icon } from '../elements/icon.tsx';

interface SetupProps {
	setup: Awaited<ReturnType<typeof setUpTwoFactor>>;
	error: ApiError | undefined;
}

export function TwoFactorSetup({ setup, error }: SetupProps) {
	const image = encodeURIComponent(encodeQR(setup.url, 'svg', { border: 2 }));
	return (
		<section class="card narrow">
			<h1>Set up two-factor authentication</h1>
			<p class="lead">You then log in with your password and a code from an app on your phone.</p>
			<h2>Scan the code</h2>
			<p>Use an authenticator app, for example the one in your password manager.</p>
			<img
				class="qr-code"
				src={`data:image/svg+xml,${image}`}
				alt="QR code of the secret below"
				width="200"
				height="200"
			/>
			<p class="muted">Or enter this secret in the app:</p>
			<CodeBlock id="secret" what="the secret" text={setup.secret} />
			<h2>Enter the code that the app shows</h2>
			<form method="post" action="/account/two-factor">
				<FormAlert error={error} />
				<CodeField
					error={error}
					help="Six digits. All your other sessions are logged out."
					input={{ inputmode: 'numeric', maxlength: 7 }}
				/>
				<p class="actions">
					<ButtonLink href="/account" text="Cancel" />
					<Button text="Turn on" look="primary" />
				</p>
			</form>
		</section>
	);
}

interface CodeFieldProps {
	error: ApiError | undefined;
	help: Child;
	input: Record<string, string | number>;
}

export function CodeField({ input, ...props }: CodeFieldProps) {
	return (
		<Field
			name="code"
			label="Code"
			{...props}
			input={{ autocomplete: 'one-time-code', ...input }}
		/>
	);
}

export const codeSentences = {
	code: (message: string) =>
		message.includes('cannot')
			? 'The service cannot check codes of your app at the moment. Enter a recovery code, or ask the operator.'
			: 'The code is not correct, or it was already used. Wait for the next one.',
};

export function TwoFactorStatus({ left }: { left: number }) {
	const counted =
		left === 1 || left === 0
			? `${left ? 'One' : 'No'} recovery code is`
			: `${left} recovery codes are`;
	return (
		<section class="card narrow">
			<h1>Two-factor authentication</h1>
			<p class="lead">It is on: a log-in needs a code of your authenticator app.</p>
			<p>{counted} left. Each works once, if you do not have your app.</p>
			<form method="post" action="/account/two-factor/codes">
				<Button text="Create new recovery codes" />
			</form>
			<p class="actions">
				<ButtonLink href="/account" text="Back" />
				<ButtonLink href="/account/two-factor/off" text="Turn off" look="danger" asks />
			</p>
		</section>
	);
}

/** The one page that shows recovery codes. It is the response to the form itself. */
export function RecoveryCodes({ codes }: { codes: string[] }) {
	return (
		<section class="card medium" data-one-time>
			<h1>Your recovery codes</h1>
			<output class="callout important">
				<Icon name="alert" />
				<span>
					<strong>Store them now.</strong> They are shown only here, and earlier ones no longer
					work. Each lets you log in once without your authenticator app. Keep them where your
					password is not.
				</span>
			</output>
			<CodeBlock id="new-key" what="the recovery codes" text={codes.join('\n')} />
			<p class="actions">
				<a class="button primary" href="/account" data-stored>
					I have stored the codes
				</a>
			</p>
		</section>
	);
}
