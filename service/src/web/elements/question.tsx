// Asks before something is done. With JavaScript the same question opens as a dialog on the page.
import type { Child } from 'hono/jsx';
import type { ApiError } from '../../errors.ts';
import { FormAlert } from './field.tsx';
import { HiddenFields } from './hidden-fields.tsx';

interface QuestionProps {
	title: string;
	/** What happens then. */
	lead: string;
	/** What it is about, by name. */
	facts: readonly (readonly [name: string, value: Child])[];
	/** Where the form goes, and the page to return to. */
	action: string;
	cancel: string;
	submit: string;
	/** What the form sends along. */
	values?: Record<string, string | undefined>;
	/** Whether something is lost by it. */
	harmful?: boolean;
	/** Why it was refused. */
	error?: ApiError | undefined;
}

export function Question(props: QuestionProps) {
	const { title, lead, facts, action, cancel, submit, values = {}, harmful = true, error } = props;
	return (
		<section class="card narrow" data-confirm-question>
			<h1 id="question">{title}</h1>
			<p class="lead">{lead}</p>
			<FormAlert error={error} />
			<dl class="facts">
				{facts.map(([name, value]) => (
					<>
						<dt>{name}</dt>
						<dd>{value}</dd>
					</>
				))}
			</dl>
			<form method="post" action={action} class="actions">
				<HiddenFields values={values} />
				<a class="button" href={cancel} data-cancel autofocus>
					Cancel
				</a>
				<button type="submit" class={harmful ? 'button primary danger' : 'button primary'}>
					{submit}
				</button>
			</form>
		</section>
	);
}
