// Forms: their fields, errors, tokens and buttons, and links that look like buttons.
import { randomUUID } from 'node:crypto';
import type { ApiError } from 'board-access-core';
import { type Child, createContext, useContext } from 'hono/jsx';
import type { Query } from '../paths.ts';
import { Icon, type IconName, withLink } from './text.tsx';

interface FilledForm {
	values: Record<string, string>;
	error?: ApiError;
}

/** The values of a form by field name, and why the form was rejected. */
export const Filled = createContext<FilledForm>({ values: {} });

interface PostFormProps {
	action: string;
	submit: string;
	look?: Look;
	/** The page to return to. */
	cancel?: string | undefined;
	/** Fields that are sent but not shown. */
	values?: Query | undefined;
	children?: Child;
}

/** A form that changes something, with its errors above and its button below. */
export function PostForm(props: PostFormProps) {
	const { action, submit, look = 'primary', cancel, values, children } = props;
	const button = <Button text={submit} look={look} />;
	return (
		<form method="post" action={action}>
			<FormAlert />
			<HiddenFields values={{ token: randomUUID(), ...values }} />
			{children}
			{cancel ? (
				<div class="actions">
					{button}
					<ButtonLink href={cancel} text="Cancel" />
				</div>
			) : (
				button
			)}
		</form>
	);
}

export interface CardFormProps extends PostFormProps {
	title: Child;
	lead?: Child;
	size?: 'narrow' | 'medium';
	below?: Child;
}

/** A form on a card, with a title and a sentence above it. */
export function CardForm({ title, lead, size = 'narrow', below, ...form }: CardFormProps) {
	return (
		<section class={`card ${size}`}>
			<h1>{title}</h1>
			{lead && <p class="lead">{lead}</p>}
			<PostForm look={form.cancel ? 'primary' : 'primary wide'} {...form} />
			{below}
		</section>
	);
}

/** The idempotency key of a form; without a token of ours, every request is a new one. */
export function formKey(token: string) {
	return `web ${/^[\w -]{1,200}$/.test(token) ? token : randomUUID()}`;
}

/** Fields that a form sends but does not show; those without a value are left out. */
export function HiddenFields({ values }: { values: Query }) {
	return Object.entries(values).map(
		([name, value]) => value && <input type="hidden" name={name} value={value} />,
	);
}

export interface FieldProps {
	name: string;
	label: string;
	/** What it contains at first. */
	value?: string | undefined;
	/** Whether the field is empty when the form is shown again. */
	secret?: boolean;
	help?: Child;
	optional?: boolean;
	/** What the browser suggests. */
	suggestions?: readonly string[];
	/** Further attributes of the input: type, limits, autocomplete. With rows it is a text area. */
	input?: Record<string, string | number | boolean>;
	class?: string;
}

export function Field(props: FieldProps) {
	const { name, label, secret, help, optional = false, suggestions, input = {} } = props;
	const { values } = useContext(Filled);
	const value = secret ? undefined : (values[name] ?? props.value);
	const message = useMessage(name);
	const notes = [help && `${name}-help`, message && `${name}-error`].filter(Boolean).join(' ');
	const attributes = {
		id: name,
		name,
		required: !optional,
		list: suggestions && `${name}-suggestions`,
		'aria-invalid': message ? 'true' : undefined,
		'aria-describedby': notes || undefined,
	};
	// A script makes this button visible.
	const shown = { title: 'Show what you type', 'aria-controls': name, 'aria-pressed': 'false' };
	const control = input.rows ? (
		<textarea {...attributes} {...input}>
			{value}
		</textarea>
	) : (
		<input {...attributes} value={value} autocomplete="off" {...input} />
	);
	return (
		<div class={`field ${props.class ?? ''}`.trim()}>
			<label for={name}>
				{label}
				{optional && <span class="muted"> (optional)</span>}
			</label>
			{input.type === 'password' ? (
				<div class="password">
					{control}
					<Button type="button" text="Show" data-show={name} {...shown} hidden />
				</div>
			) : (
				control
			)}
			{suggestions && (
				<datalist id={`${name}-suggestions`}>
					{suggestions.map((text) => (
						<option value={text} />
					))}
				</datalist>
			)}
			{help && (
				<p class="muted small" id={`${name}-help`}>
					{help}
				</p>
			)}
			<FieldError name={name} />
		</div>
	);
}

/** What is wrong with a field. */
function useMessage(name: string) {
	const { error } = useContext(Filled);
	return error?.details.errors?.find(({ path }) => path === name)?.message;
}

function FieldError({ name }: { name: string }) {
	const message = useMessage(name);
	return message ? (
		<p class="field-error" id={`${name}-error`}>
			{message}
		</p>
	) : null;
}

/** The errors of a form, above it; the focus moves here. */
export function FormAlert() {
	const { error } = useContext(Filled);
	if (!error) return null;
	const { errors = [], hint } = error.details;
	return (
		<div class="alert" role="alert" tabindex={-1} autofocus>
			{errors.length === 0 ? (
				<p>
					{error.message} {withLink(hint)}
				</p>
			) : (
				<ul>
					{errors.map(({ path, message }) => (
						<li>
							<a href={`#${path}`}>{message}</a>
						</li>
					))}
				</ul>
			)}
		</div>
	);
}

interface RadiosProps {
	name: string;
	legend: string;
	options: readonly { value: string; label: string; help?: string }[];
	/** What is chosen at first. */
	chosen: string;
}

/** A choice of one of a few values. */
export function Radios({ name, legend, options, chosen }: RadiosProps) {
	const { values } = useContext(Filled);
	return (
		<fieldset class="choice" id={name}>
			<legend>{legend}</legend>
			{options.map(({ value, label, help }) => (
				<label class="row">
					<input
						type="radio"
						name={name}
						value={value}
						checked={value === (values[name] ?? chosen)}
					/>
					<span>
						<strong>{label}</strong> {help}
					</span>
				</label>
			))}
			<FieldError name={name} />
		</fieldset>
	);
}

export function BoardTypeField(props: Pick<FieldProps, 'value' | 'help' | 'suggestions'>) {
	return <Field name="board_type" label="Board type" input={{ maxlength: 100 }} {...props} />;
}

type Look = 'primary' | 'danger' | 'primary danger' | 'primary wide' | undefined;

interface LinkProps {
	href: string;
	text: string;
	look?: Look;
	icon?: IconName;
	/** The name for screen readers, where the text alone is ambiguous. */
	label?: string;
}

export function ButtonLink({ href, text, look, icon, label }: LinkProps) {
	return (
		<a class={classOf(look)} href={href} aria-label={label}>
			{icon && <Icon name={icon} />}
			{text}
		</a>
	);
}

interface ButtonProps extends Omit<LinkProps, 'href'> {
	/** "button" if only a script does something with it. */
	type?: 'button';
	hidden?: boolean;
	/** Keeps the focus on the button when its part of the page is replaced. */
	id?: string;
	/** What the button sends with its form. */
	name?: string;
	value?: string;
	/** What follows the text. */
	children?: Child;
}

export function Button({ text, look, label, icon, children, ...rest }: ButtonProps) {
	return (
		<button type="submit" class={classOf(look)} {...rest} aria-label={label}>
			{icon && <Icon name={icon} />}
			{text}
			{children}
		</button>
	);
}

function classOf(look: Look) {
	return look ? `button ${look}` : 'button';
}

/** The way back to the list that a page belongs to. */
export function Back({ href, text }: { href: string; text: string }) {
	return (
		<p class="back small">
			<a href={href}>{text}</a>
		</p>
	);
}
