// Asks for the label of a new key, and shows the key once. The free tier goes through the top-up first
// and keeps the label.
import { isPaidTier } from '../../credits/tier.ts';
import type { ApiError } from '../../errors.ts';
import { CodeBlock, SameRequest, shell } from '../elements/code.tsx';
import { Field, FormActions, FormAlert, FormToken } from '../elements/form.tsx';
import { OneTime } from '../elements/question.tsx';
import { AskForCredits } from '../elements/text.tsx';
import type { MemberVisit } from '../pages.tsx';
import { createKeyRequest } from './requests.ts';

type KeyFormProps = Awaited<ReturnType<typeof readForm>>;

async function readForm({ account, parts }: MemberVisit, label: string, error?: ApiError) {
	return {
		label,
		error,
		account,
		paid: await isPaidTier(parts.database.query, account.id),
		canTopUp: parts.payments !== undefined,
		contact: parts.settings.contact,
	};
}

export async function showKeyForm(visit: MemberVisit, label: string, error?: ApiError) {
	const form = await readForm(visit, label, error);
	const { baseUrl } = visit.parts.settings;
	const main = (
		<>
			<section class="card narrow">
				<h1>Create a key</h1>
				<p class="lead">The key is shown once, on the next page. Have a safe place ready for it.</p>
				<FormAlert error={error?.code === 'paid_tier_required' ? undefined : error} />
				{form.paid ? <CreateForm {...form} /> : <TierFirst {...form} />}
			</section>
			<SameRequest examples={createKeyRequest(baseUrl, label || undefined)} />
		</>
	);
	return { title: 'Create a key', main };
}

function LabelField({ label, error }: KeyFormProps) {
	return (
		<Field
			name="label"
			label="Label"
			form={{ values: { label }, error }}
			help="What the key is for, for example “ci” or “bench laptop”. You cannot change it later."
			optional
			input={{ maxlength: 200 }}
		/>
	);
}

function CreateForm(props: KeyFormProps) {
	return (
		<form method="post" action="/keys">
			<FormToken />
			<LabelField {...props} />
			<FormActions submit="Create key" cancel="/keys" />
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
				<FormActions
					submit={props.canTopUp ? 'Continue to top-up' : 'Check again'}
					cancel="/keys"
				/>
			</form>
		</>
	);
}

/** The one page that shows a key. */
export function showKey({ parts }: MemberVisit, key: string, label: string | null) {
	const { baseUrl } = parts.settings;
	const main = (
		<OneTime title="Your new key" name={label} noun="key" secret={key} back="/keys">
			<h2>Use it in your shell</h2>
			<p class="muted">
				The README of <code>board-access</code> describes how to install the command line.
			</p>
			<CodeBlock id="new-key-shell" what="the commands" text={shellCommands(key, baseUrl)} />
			<h2>Use it in CI</h2>
			<p class="muted">
				Store the key as a secret with the name <code>SERVICE_API_KEY</code>, never in the
				repository. GitHub Actions, for example, after a step that installs the command line:
			</p>
			<CodeBlock id="new-key-ci" what="the CI steps" text={ciSteps(baseUrl)} />
			<p class="muted">
				If the key ever leaks, revoke it on the API keys page: it stops working immediately.
			</p>
		</OneTime>
	);
	return { title: 'Your new key', main };
}

function shellCommands(apiKey: string, baseUrl: string) {
	return `export SERVICE_BASE_URL=${shell(baseUrl)}
export SERVICE_API_KEY=${apiKey}
board-access boards list --status available`;
}

function ciSteps(baseUrl: string) {
	return `steps:
  - run: board-access boards list --status available
    env:
      SERVICE_BASE_URL: ${JSON.stringify(baseUrl)}
      SERVICE_API_KEY: \${{ secrets.SERVICE_API_KEY }}`;
}
