// Buttons, and links that look like buttons.
import { Icon, type IconName } from './icon.tsx';

type Look = 'primary' | 'danger' | 'primary danger' | 'primary wide' | undefined;

interface LinkProps {
	href: string;
	text: string;
	look?: Look;
	icon?: IconName;
	/** The name for screen readers, where the text alone does not say what it is about. */
	label?: string;
	/** Whether it leads to a question, which then opens as a dialog. */
	asks?: boolean;
}

export function ButtonLink({ href, text, look, icon, label, asks }: LinkProps) {
	return (
		<a class={classOf(look)} href={href} aria-label={label} data-confirm={asks}>
			{icon && <Icon name={icon} />}
			{text}
		</a>
	);
}

interface ButtonProps {
	text: string;
	look?: Look;
	/** What the button sends with its form. */
	name?: string;
	value?: string;
	label?: string;
	disabled?: boolean;
}

export function Button({ text, look, label, ...rest }: ButtonProps) {
	return (
		<button type="submit" class={classOf(look)} {...rest} aria-label={label}>
			{text}
		</button>
	);
}

function classOf(look: Look) {
	return look ? `button ${look}` : 'button';
}

/** The way back to the list that a page belongs to. */
export function Back({ href, text }: { href: string; text: string }) {
	return (
		<p class="back">
			<a href={href}>{text}</a>
		</p>
	);
}
