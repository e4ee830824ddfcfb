// The field that a list is searched with.
import { Icon } from './icon.tsx';

interface SearchBoxProps {
	label: string;
	placeholder: string;
	text: string;
}

export function SearchBox({ label, placeholder, text }: SearchBoxProps) {
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
