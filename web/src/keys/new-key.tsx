// Asks what a new key is for and what it may do, creates it, and shows it once.
import { apiKeyInput } from 'board-access-contract';
import { isPaidTier, run, validate } from 'board-access-core';
import * as z from 'zod/mini';
import { confirm } from '../accounts/confirm.tsx';
import { CodeBlock, literal, requestExamples, SameRequest, shell } from '../elements/code.tsx';
import { Field, PostForm, Radios } from '../elements/form.tsx';
import { showOnce } from '../elements/question.tsx';
import { AskForCredits } from '../elements/text.tsx';
import { filledValues } from '../form.ts';
import { claimFor, goTo, type MemberVisit, onSubmit } from '../pages.tsx';

export async function showKeyForm(visit: MemberVisit) {
	const { c, services } = visit;
	const { database, settings } = services;
	const main = (
		<>
			<section class="card narrow">
				<h1>Create a key</h1>
				<p class="lead">The key is shown once, on the next page. Have a safe place ready for it.</p>
				{(await isPaidTier(database.query, visit.account.id)) ? (
					<PostForm action="/keys" submit="Create key" cancel="/keys">
						<Field
							name="label"
							label="Label"
							help="What the key is for, for example “ci” or “bench laptop”. You cannot change it later."
							optional
							input={{ maxlength: 200 }}
						/>
						<Radios name="scope" legend="It may use" options={scopes} chosen={preselected.scope} />
						<Radios
							name="expires"
							legend="It expires"
							options={lifetimes}
							chosen={preselected.expires}
						/>
						<Field
							name="credit_limit"
							label="Credit limit"
							help="How many credits the leases that it requests may cost in all. Only for a key for boards and leases."
							optional
							input={{ type: 'number', min: 1 }}
						/>
					</PostForm>
				) : (
					tierFirst(visit)
				)}
			</section>
			<SameRequest examples={createKeyRequest(settings.baseUrl, filledValues(c).label)} />
		</>
	);
	return { title: 'Create a key', main };
}

// Enough for keys in pipelines and on benches, which are those that leak.
const preselected = { scope: 'boards', expires: '90' };

const dayMilliseconds = 24 * 60 * 60 * 1000;

const scopes = [
	{
		value: 'boards',
		label: 'Boards and leases',
		help: 'runs tests, in a pipeline for example; cannot list, create or revoke keys, or share leases',
	},
	{
		value: 'full',
		label: 'Everything',
		help: 'that you may do, which includes listing, creating and revoking keys',
	},
];

/** In days. */
const lifetimes = [
	{ value: '30', label: 'In 30 days' },
	{ value: '90', label: 'In 90 days' },
	{ value: '365', label: 'In a year' },
	{ value: 'never', label: 'Never', help: 'only when you revoke it' },
];

const formInput = z.strictObject({
	...z.pick(apiKeyInput, { label: true, scope: true, credit_limit: true }).shape,
	expires: z.enum(lifetimes.map(({ value }) => value)),
});

function tierFirst({ account, services: { payments, settings } }: MemberVisit) {
	return (
		<div class="callout">
			<h2>Creating keys needs the paid tier</h2>
			<p>
				You are on the free tier.{' '}
				{payments ? (
					<a href="/credits">Top up any amount of credits</a>
				) : (
					<AskForCredits account={account} contact={settings.contact} />
				)}
				, then come back to this page.
			</p>
		</div>
	);
}

/** Creates the key that a form asks for; sending the form again does not create a second one. */
export const createKey = onSubmit({
	fields: ['label', 'scope', 'expires', 'credit_limit', 'token'],
	change: async (visit: MemberVisit, { token, ...sent }) => {
		await confirm(visit);
		const { c, caller, services } = visit;
		const { database, settings } = services;
		const { label, scope, expires, credit_limit } = validate(formInput, {
			label: sent.label,
			scope: sent.scope || preselected.scope,
			expires: sent.expires || preselected.expires,
			credit_limit: sent.credit_limit ? Number(sent.credit_limit) : undefined,
		});
		const expires_at =
			expires === 'never'
				? null
				: new Date(database.clock.now() + Number(expires) * dayMilliseconds).toISOString();
		const confirmed = { ...caller, confirmed: true };
		const { result } = await run(services, confirmed, 'createKey', () => ({
			input: { label, scope, expires_at, credit_limit },
			// By the form: the time at which the key expires differs with each attempt.
			claimFor: () => claimFor(visit, sent, token),
		}));
		if (!result.key) return goTo(c, '/keys', 'key-shown');
		return showKey(result.key, result.label, settings.baseUrl);
	},
	again: showKeyForm,
	sentences: {
		label: 'Enter at most 200 characters, on one line.',
		scope: 'Choose what the key may use.',
		expires: 'Choose when the key expires.',
		credit_limit: 'Enter a whole number, up to a billion, and choose boards and leases.',
	},
	done: 'created another key',
});

function showKey(key: string, label: string | null | undefined, baseUrl: string) {
	const children = (
		<>
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
		</>
	);
	const secret = { title: 'Your new key', name: label, noun: 'key', secret: key };
	return showOnce({ ...secret, back: '/keys', children });
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

function createKeyRequest(baseUrl: string, sent: string | undefined) {
	const label = sent || 'ci';
	const scope = 'boards';
	return requestExamples({
		baseUrl,
		method: 'POST',
		path: '/v1/auth/keys',
		json: { label, scope },
		cli: ['keys', 'create', '--label', label, '--scope', scope],
		typescript: `const { key } = await client.keys.create(${literal({ label, scope })});`,
	});
}
