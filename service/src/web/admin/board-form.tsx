// The form for one board.
import type { ApiError } from '../../errors.ts';
import { Field, FormAlert, TextArea } from '../elements/field.tsx';
import { FormToken } from '../elements/form-token.tsx';

export const boardFields = [
	'name',
	'board_type',
	'description',
	'credits_per_minute',
	'tags',
] as const;

export type BoardValues = Record<(typeof boardFields)[number], string>;

interface BoardFormProps {
	/** Absent for a new board. */
	id: string | undefined;
	values: BoardValues;
	error: ApiError | undefined;
	types: string[];
}

export function BoardForm({ id, values, error, types }: BoardFormProps) {
	const path = id && encodeURIComponent(id);
	return (
		<section class="card medium">
			<h1>{id ? 'Edit a board' : 'Add a board'}</h1>
			<form method="post" action={`/admin/boards/${path ?? 'new'}`}>
				<FormAlert error={error} />
				<FormToken />
				<div class="pair">
					<Field
						name="name"
						label="Name"
						value={values.name}
						error={error}
						help="For example “uno-01”."
						input={{ maxlength: 200, autocomplete: 'off' }}
					/>
					<Field
						name="board_type"
						label="Board type"
						value={values.board_type}
						error={error}
						help="Determines its base images."
						input={{ list: 'board-types', maxlength: 100, autocomplete: 'off' }}
					/>
					<datalist id="board-types">
						{types.map((type) => (
							<option value={type} />
						))}
					</datalist>
				</div>
				<TextArea
					name="description"
					label="Description"
					value={values.description}
					error={error}
					optional
					input={{ rows: 2, maxlength: 2000 }}
				/>
				<TextArea
					name="tags"
					label="Tags"
					value={values.tags}
					error={error}
					help="One on each line: a name, a colon and a value, for example rack: b2."
					optional
					input={{ rows: 3, spellcheck: 'false', class: 'mono' }}
				/>
				<Field
					name="credits_per_minute"
					label="Credits per minute"
					value={values.credits_per_minute}
					error={error}
					help="0 is free, also for the free tier."
					input={{ inputmode: 'numeric', maxlength: 7, autocomplete: 'off' }}
				/>
				<div class="actions">
					<button type="submit" class="button primary">
						{id ? 'Save' : 'Add board'}
					</button>
					<a class="button" href={path ? `/boards/${path}` : '/admin/boards'}>
						Cancel
					</a>
				</div>
			</form>
		</section>
	);
}
