// One question of a form: its label, its help, and what was wrong with the last answer.
import type { Child } from 'hono/jsx';
import type { ApiError } from '../../errors.ts';
import { faultOf } from '../form.ts';

interface FieldProps {
	name: string;
	label: string;
	/** What was typed before, kept over an error. */
	value?: string | undefined;
	fault?: ApiError | undefined;
	help?: Child;
	optional?: boolean | undefined;
	/** What else the input needs: its type, its limits, what the browser may fill in. */
	input?: Record<string, string | number | boolean>;
}

export function Field({ name, label, value, fault, help, optional, input }: FieldProps) {
	return (
		<div class="field">
			<FieldLabel name={name} label={label} optional={optional} />
			<input
				id={name}
				name={name}
				value={value}
				required={!optional}
				{...described(name, { fault, help })}
				{...input}
			/>
			<FieldNotes name={name} fault={fault} help={help} />
		</div>
	);
}

export function TextArea({ name, label, value, fault, help, optional, input }: FieldProps) {
	return (
		<div class="field">
			<FieldLabel name={name} label={label} optional={optional} />
			<textarea
				id={name}
				name={name}
				required={!optional}
				{...described(name, { fault, help })}
				{...input}
			>
				{value}
			</textarea>
			<FieldNotes name={name} fault={fault} help={help} />
		</div>
	);
}

function FieldLabel({ name, label, optional }: Pick<FieldProps, 'name' | 'label' | 'optional'>) {
	return (
		<label for={name}>
			{label}
			{optional && <span class="muted"> (optional)</span>}
		</label>
	);
}

function FieldNotes({ name, fault, help }: Pick<FieldProps, 'name' | 'fault' | 'help'>) {
	const wrong = faultOf(fault, name);
	return (
		<>
			{help && (
				<p class="help" id={`${name}-help`}>
					{help}
				</p>
			)}
			{wrong && (
				<p class="wrong" id={`${name}-wrong`}>
					{sentence(wrong)}
				</p>
			)}
		</>
	);
}

/** Ties an input to the notes below it, for those who cannot see where they stand. */
function described(name: string, { fault, help }: Pick<FieldProps, 'fault' | 'help'>) {
	const wrong = faultOf(fault, name) !== undefined;
	const notes = [help && `${name}-help`, wrong && `${name}-wrong`].filter(Boolean).join(' ');
	return { 'aria-invalid': wrong ? 'true' : undefined, 'aria-describedby': notes || undefined };
}

interface AlertProps {
	fault: ApiError | undefined;
	/** The fields by their names, as the page calls them. */
	labels?: Record<string, string>;
}

/** What went wrong with the form, at its head; the focus goes to it. */
export function FormAlert({ fault, labels = {} }: AlertProps) {
	if (!fault) return null;
	const { errors = [], hint } = fault.details;
	const named = errors.filter(({ path }) => labels[path]);
	return (
		<div class="alert" role="alert" tabindex={-1} autofocus>
			{named.length === 0 ? (
				<p>{[fault.message, hint].filter(Boolean).join(' ')}</p>
			) : (
				<ul>
					{named.map(({ path, message }) => (
						<li>
							<a href={`#${path}`}>{`${labels[path]} ${message}`}</a>
						</li>
					))}
				</ul>
			)}
		</div>
	);
}

function sentence(text: string) {
	return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
