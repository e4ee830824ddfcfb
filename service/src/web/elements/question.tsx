// Asks before something is done, and shows a secret once.
import type { Child } from 'hono/jsx';
import type { ApiError } from '../../errors.ts';
import type { Visit } from '../pages.tsx';
import { CodeBlock } from './code.tsx';
import { Button, FormAlert, type Hidden, HiddenFields } from './form.tsx';
import { Icon } from './icon.tsx';
import { type Fact, Facts, Name } from './text.tsx';

interface QuestionProps {
	title: string;
	/** What happens then. */
	lead: string;
	/** What it is about, by name. */
	facts?: readonly Fact[];
	/** Anything else that has to be known. */
	children?: Child;
	/** Where the form goes, and the page to return to. */
	action: string;
	cancel: string;
	keep?: string;
	submit: string;
	/** What the form sends along. */
	values?: Hidden;
	/** Whether something is lost by it. */
	harmful?: boolean;
	/** Why it was refused. */
	error?: ApiError | undefined;
	wide?: boolean;
}

export function Question(props: QuestionProps) {
	const { title, lead, facts, children, keep = 'Cancel', harmful = true, error, wide } = props;
	return (
		<section class={wide ? 'card medium' : 'card narrow'} data-confirm-question>
			<h1 id="question">{title}</h1>
			<p class="lead">{lead}</p>
			<FormAlert error={error} />
			{children}
			{facts && <Facts facts={facts} />}
			<form method="post" action={props.action} class="actions">
				<HiddenFields values={props.values ?? {}} />
				<a class="button" href={props.cancel} data-cancel autofocus>
					{keep}
				</a>
				<Button text={props.submit} look={harmful ? 'primary danger' : 'primary'} />
			</form>
		</section>
	);
}

/** The page that asks a question; its form is sent to the same address. */
export function ask({ c }: Visit, title: string, question: Omit<QuestionProps, 'action'>) {
	return { title, main: <Question {...question} action={c.req.path} /> };
}

interface OneTimeProps {
	title: string;
	/** What the secret is for, as its owner calls it. */
	name: string | null;
	/** What the secret is. */
	noun: 'key' | 'token';
	secret: string;
	back: string;
	/** How it is used. */
	children: Child;
}

export function OneTime({ title, name, noun, secret, back, children }: OneTimeProps) {
	return (
		<section class="card medium" data-one-time>
			<h1>
				{title}
				{name !== null && (
					<>
						{' '}
						“<Name>{name}</Name>”
					</>
				)}
			</h1>
			<output class="callout important">
				<Icon name="alert" />
				<span>
					<strong>{`Copy the ${noun} now.`}</strong> It is shown only here. We store a fingerprint
					of it, so nobody can show it again after you leave or reload this page.
				</span>
			</output>
			<h2>{`The ${noun}`}</h2>
			<CodeBlock id="new-key" what={`the ${noun}`} text={secret} />
			{children}
			<p class="actions">
				<a class="button primary" href={back} data-stored>
					{`I have stored the ${noun}`}
				</a>
			</p>
		</section>
	);
}
