// A form that changes something: its error, its token, its fields and its buttons.
import { randomUUID } from 'node:crypto';
import type { Child } from 'hono/jsx';
import type { ApiError } from '../../errors.ts';
import { Button } from './button.tsx';
import { FormAlert } from './field.tsx';

interface PostFormProps {
	action: string;
	error?: ApiError | undefined;
	submit: string;
	/** The page to return to. */
	cancel?: string | undefined;
	children?: Child;
}

export function PostForm({ action, error, submit, cancel, children }: PostFormProps) {
	return (
		<form method="post" action={action}>
			<FormAlert error={error} />
			<FormToken />
			{children}
			<FormActions submit={submit} cancel={cancel} />
		</form>
	);
}

export function FormActions({ submit, cancel }: Pick<PostFormProps, 'submit' | 'cancel'>) {
	if (!cancel) return <Button text={submit} look="primary" />;
	return (
		<div class="actions">
			<Button text={submit} look="primary" />
			<a class="button" href={cancel}>
				Cancel
			</a>
		</div>
	);
}

/** Identifies a form, so that sending it twice changes something once. */
export function FormToken() {
	return <input type="hidden" name="token" value={randomUUID()} />;
}

/** The idempotency key of a form; without a token of ours, every request is a new one. */
export function formKey(token: string) {
	return `web ${/^[\w -]{1,200}$/.test(token) ? token : randomUUID()}`;
}

export type Hidden = Record<string, string | readonly string[] | undefined>;

/** Fields that a form sends along without showing them; those without a value are left out. */
export function HiddenFields({ values }: { values: Hidden }) {
	return (
		<>
			{Object.entries(values).map(([name, value]) =>
				[value ?? []].flat().map((one) => one && <input type="hidden" name={name} value={one} />),
			)}
		</>
	);
}
