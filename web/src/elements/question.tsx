// Asks before something is done, and shows a secret once.
import type { Child } from 'hono/jsx';
import type { Visit } from '../pages.tsx';
import { CodeBlock } from './code.tsx';
import { CardForm, type CardFormProps } from './form.tsx';
import { type Fact, Facts, Icon, Name } from './text.tsx';

/** Its children are anything else to know before answering. */
export interface Question extends Pick<CardFormProps, 'submit' | 'values' | 'children'> {
	title: string;
	lead: string;
	facts?: readonly Fact[];
	cancel: string;
	destructive?: boolean;
}

/** The page that asks a question; its form is sent to the same address. */
export function ask({ c }: Pick<Visit, 'c'>, question: Question) {
	const { facts, children, destructive = true, ...form } = question;
	const look = destructive ? 'primary danger' : 'primary';
	const main = (
		<CardForm {...form} action={c.req.path} look={look}>
			{children}
			{facts && <Facts facts={facts} />}
		</CardForm>
	);
	return { title: question.title, main };
}

interface OneTimeProps {
	/** "Your new key", and the label of the key. */
	title: string;
	name?: string | null | undefined;
	/** "key" */
	noun: string;
	secret: string;
	/** What the reader has to know before leaving the page. */
	warning?: Child;
	back: string;
	children?: Child;
}

/** The one page that shows a secret. It is the response to the form itself. */
export function showOnce(props: OneTimeProps) {
	const { title, name, noun, secret, back, warning = onlyHere(noun), children } = props;
	const main = (
		<section class="card medium" data-one-time>
			<h1>
				{title} {name && ['“', <Name>{name}</Name>, '”']}
			</h1>
			<output class="callout important">
				<Icon name="alert" />
				<span>{warning}</span>
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
	return { title, main };
}

function onlyHere(noun: string) {
	return (
		<>
			<strong>{`Copy the ${noun} now.`}</strong> It is shown only here. We store a fingerprint of
			it, so nobody can show it again after you leave or reload this page.
		</>
	);
}
