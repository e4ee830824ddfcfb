// Asks for the label of a new key. The free tier goes through the top-up first and keeps the label.
import type { Account } from '../../accounts/store.ts';
import type { ApiError } from '../../errors.ts';
import { Field, FormAlert } from '../elements/field.tsx';
import { FormToken } from '../elements/form-token.tsx';
import { AskForCredits } from '../elements/operator.tsx';
import { SameRequest } from '../elements/same-request.tsx';
import { createKeyRequest } from './requests.ts';

interface KeyFormProps {
	label: string;
	error: ApiError | undefined;
	account: Account;
	paid: boolean;
	canTopUp: boolean;
	contact: string | undefined;
	baseUrl: string;
}

export function KeyForm(props: KeyFormProps) {
	const { label, error, paid, baseUrl } = props;
	return (
		<>
			<section class="card narrow">
				<h1>Create a key</h1>
				<p class="lead">The key is shown once, on the next page. Have a safe place ready for it.</p>
				<FormAlert error={error?.code === 'paid_tier_required' ? undefined : error} />
				{paid ? <CreateForm {...props} /> : <TierFirst {...props} />}
			</section>
			<SameRequest examples={createKeyRequest(baseUrl, label || undefined)} />
		</>
	);
}

function LabelField({ label, error }: KeyFormProps) {
	return (
		<Field
			name="label"
			label="Label"
			value={label}
			error={error}
			help="What the key is for, for example “ci” or “bench laptop”. You cannot change it later."
			optional
			input={{ maxlength: 200, autocomplete: 'off' }}
		/>
	);
}

function CreateForm(props: KeyFormProps) {
	return (
		<form method="post" action="/keys">
			<FormToken />
			<LabelField {...props} />
			<FormActions submit="Create key" />
		</form>
	);
}

function TierFirst(props: KeyFormProps) {
	const refused = props.error?.code === 'paid_tier_required';
	return (
		<>
			<div class="callout" {...(refused && { role: 'alert', tabindex: -1, autofocus: true })}>
				<h2>Creating keys needs the paid tier</h2>
				{props.canTopUp ? (
					<p>You are on the free tier. Top up any amount of credits, then continue here.</p>
				) : (
					<p>
						You are on the free tier. <AskForCredits {...props} />, then come back to this page.
					</p>
				)}
			</div>
			<form method="get" action={props.canTopUp ? '/credits' : '/keys/new'}>
				{props.canTopUp && <input type="hidden" name="for" value="key" />}
				<LabelField {...props} />
				<FormActions submit={props.canTopUp ? 'Continue to top-up' : 'Check again'} />
			</form>
		</>
	);
}

function FormActions({ submit }: { submit: string }) {
	return (
		<div class="actions">
			<button type="submit" class="button primary">
				{submit}
			</button>
			<a class="button" href="/keys">
				Cancel
			</a>
		</div>
	);
}
