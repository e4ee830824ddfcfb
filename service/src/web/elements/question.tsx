// Asks before something is done. With JavaScript the same question opens as a dialog on the page.
import type { Child } from 'hono/jsx';
import type { ApiError } from '../../errors.ts';
import type { Visit } from '../pages.tsx';
import { Button } from './button.tsx';
import { type Fact, Facts } from './facts.tsx';
import { FormAlert } from './field.tsx';
import { type Hidden, HiddenFields } from './form.tsx';

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
