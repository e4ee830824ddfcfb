// The form for an agent: its name, and the boards that it drives.
import type { ApiError } from '../../errors.ts';
import { Field, FormAlert } from '../elements/field.tsx';
import { FormToken } from '../elements/form-token.tsx';
import { Name } from '../elements/name.tsx';
import { messageFor } from '../form.ts';

export interface AgentValues {
	/** Absent for a new agent. */
	id: string | undefined;
	name: string;
	board_ids: string[];
}

interface AgentFormProps {
	values: AgentValues;
	boards: {
		id: string;
		name: string;
		board_type: string;
		agent_id: string | null;
		agent_name: string | null;
	}[];
	error: ApiError | undefined;
}

export function AgentForm({ values, boards, error }: AgentFormProps) {
	const { id, name } = values;
	return (
		<section class="card medium">
			<h1>{id ? <Name>{name}</Name> : 'Add an agent'}</h1>
			<p class="lead">
				{id
					? 'The agent drives exactly the boards that are chosen here.'
					: 'Its token is shown once, on the next page. Have a safe place ready for it.'}
			</p>
			<form method="post" action={id ? `/admin/agents/${id}` : '/admin/agents'}>
				<FormAlert error={error} />
				<FormToken />
				<Field
					name="name"
					label="Name"
					value={name}
					error={error}
					help="Where it runs, for example “raspberry-1”."
					input={{ maxlength: 200, autocomplete: 'off' }}
				/>
				<BoardChoice values={values} boards={boards} error={error} />
				<div class="actions">
					<button type="submit" class="button primary">
						{id ? 'Save' : 'Add agent'}
					</button>
					<a class="button" href="/admin/agents">
						Cancel
					</a>
				</div>
			</form>
		</section>
	);
}

function BoardChoice({ values, boards, error }: AgentFormProps) {
	const message = messageFor(error, 'board_ids');
	return (
		<fieldset class="field" id="board_ids">
			<legend>Boards</legend>
			{boards.length === 0 && <p class="muted">There are no boards yet.</p>}
			<div class="board-choice">
				{boards.map(({ id, name, board_type, agent_id, agent_name }) => (
					<label class="check">
						<input
							type="checkbox"
							name="boards"
							value={id}
							checked={values.board_ids.includes(id)}
						/>
						<span>
							<Name>{name}</Name> <code dir="auto">{board_type}</code>
							{agent_id && agent_id !== values.id && (
								<span class="muted small"> now driven by {agent_name}</span>
							)}
						</span>
					</label>
				))}
			</div>
			{message && <p class="field-error">{message}</p>}
		</fieldset>
	);
}
