// Asks what a new key is for. On the free tier it leads to the top-up, and back with the label.
import type { ApiError } from '../../errors.ts';
import { Field, FormAlert } from '../elements/field.tsx';
import { SameCall } from '../elements/same-call.tsx';
import { createKeyCall } from './calls.ts';

interface KeyFormProps {
	label: string;
	fault: ApiError | undefined;
	token: string;
	paid: boolean;
	canTopUp: boolean;
	baseUrl: string;
}

export function KeyForm(props: KeyFormProps) {
	const { label, fault, paid, baseUrl } = props;
	return (
		<>
			<section class="card narrow">
				<h1>Create a key</h1>
				<p class="lead">You see the key once, right after this. Have a safe place ready for it.</p>
				<FormAlert
					fault={fault?.code === 'paid_tier_required' ? undefined : fault}
					labels={{ label: 'Label' }}
				/>
				{paid ? <CreateForm {...props} /> : <TierFirst {...props} />}
			</section>
			<SameCall call={createKeyCall(baseUrl, label || undefined)} />
		</>
	);
}

function LabelField({ label, fault }: KeyFormProps) {
	return (
		<Field
			name="label"
			label="Label"
			value={label}
			fault={fault}
			help="What the key is for, for example “ci” or “bench laptop”. It cannot be changed later."
			optional
			input={{ maxlength: 200, autocomplete: 'off' }}
		/>
	);
}

function CreateForm(props: KeyFormProps) {
	return (
		<form method="post" action="/keys">
			<input type="hidden" name="token" value={props.token} />
			<LabelField {...props} />
			<FormActions submit="Create key" />
		</form>
	);
}

function TierFirst(props: KeyFormProps) {
	const refused = props.fault?.code === 'paid_tier_required';
	return (
		<>
			<div class="callout" {...(refused && { role: 'alert', tabindex: -1, autofocus: true })}>
				<h2>Creating keys needs the paid tier</h2>
				<p>
					{props.canTopUp
						? 'You are on the free tier. Top up any amount of credits, then you come back here.'
						: 'You are on the free tier. Ask the operator of this service to grant you credits, then come back to this page.'}
				</p>
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
