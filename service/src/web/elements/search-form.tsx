// The form that a list is searched with.
import type { Child } from 'hono/jsx';
import { HiddenFields } from './hidden-fields.tsx';
import { Icon } from './icon.tsx';

interface SearchFormProps {
	action: string;
	label: string;
	placeholder: string;
	text: string;
	/** What the search keeps of the address: the order and the page size. */
	kept: Record<string, string | undefined>;
	/** Further fields. */
	children?: Child;
}

export function SearchForm({ action, text, kept, children, ...box }: SearchFormProps) {
	return (
		<search>
			<form class="toolbar" method="get" action={action}>
				<SearchBox text={text} {...box} />
				{children}
				<HiddenFields values={kept} />
				<button type="submit" class="button">
					Search
				</button>
			</form>
		</search>
	);
}

function SearchBox({ label, placeholder, text }: Record<'label' | 'placeholder' | 'text', string>) {
	return (
		<div class="search">
			<Icon name="search" />
			<label class="unseen" for="q">
				{label}
			</label>
			<input id="q" name="q" type="search" value={text} placeholder={placeholder} maxlength={200} />
		</div>
	);
}
