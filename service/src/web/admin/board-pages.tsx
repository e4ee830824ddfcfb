// Boards for administrators: the inventory with its import, and the forms of one board.
import { summariseBoardTypes } from '../../boards/search.ts';
import { type BoardRecord, listBoardTypes } from '../../boards/store.ts';
import type { ApiError } from '../../errors.ts';
import { boardsRequest } from '../boards/requests.ts';
import { statuses, statusWords } from '../boards/status.tsx';
import { CodeBlock, SameRequest } from '../elements/code.tsx';
import {
	BoardTypeField,
	Button,
	ButtonLink,
	Field,
	FormActions,
	FormAlert,
	PostForm,
} from '../elements/form.tsx';
import { Table } from '../elements/list.tsx';
import { PageHead, TypeLink } from '../elements/text.tsx';
import type { MemberVisit } from '../pages.tsx';

type TypeSummary = Awaited<ReturnType<typeof summariseBoardTypes>>[number];

export async function showInventory({ parts }: MemberVisit, boards = '', error?: ApiError) {
	const types = await summariseBoardTypes(parts.database.query);
	const main = (
		<>
			<PageHead title="Inventory" lead="The boards of this service, type by type.">
				<ButtonLink href="/admin/boards/new" text="Add board" icon="plus" look="primary" />
			</PageHead>
			{types.length > 0 && <TypeTable types={types} />}
			<section class="card" id="import">
				<h2>Import boards</h2>
				<p>
					Existing boards, matched by <code>id</code> or, without one, by name and type, are
					updated. All others are added. If one board is invalid, nothing is imported.
				</p>
				<form method="post" action="/admin/boards">
					<FormAlert error={error} />
					<Field
						name="boards"
						label="Boards as CSV or as a JSON array"
						form={{ values: { boards }, error }}
						help="Required: name and board_type. Up to 64 KiB; for more, use the command below."
						input={{ rows: 6, placeholder: example, spellcheck: 'false', class: 'mono' }}
					/>
					<FormActions submit="Import" />
				</form>
				<h3>On the machine that runs the service</h3>
				<CodeBlock id="import-command" what="the commands" text={commands} />
			</section>
			<SameRequest examples={boardsRequest(parts.settings.baseUrl)} />
		</>
	);
	return { title: 'Inventory', main };
}

const example = `name,board_type,status,description,tags.location
esp32-s3-04,esp32-s3,available,ESP32-S3-DevKitC-1,rack-1`;

const commands = `board-access-service boards export --format csv > boards.csv
board-access-service boards import boards.csv`;

function TypeTable({ types }: { types: TypeSummary[] }) {
	const countOf = (type: TypeSummary, status: (typeof statuses)[number]) => (
		<span class={type[status] === 0 ? 'number muted' : 'number'}>{type[status]}</span>
	);
	const sumOf = (type: TypeSummary) => (
		<strong class="number">{statuses.reduce((sum, status) => sum + type[status], 0)}</strong>
	);
	return (
		<Table
			caption="Boards of each type"
			rows={types}
			columns={[
				{ label: 'Type', cell: (type) => <TypeLink type={type.board_type} />, class: 'main-cell' },
				...statuses.map((status) => ({
					label: statusWords[status],
					class: 'tally',
					cell: (type: TypeSummary) => countOf(type, status),
				})),
				{ label: 'All', class: 'tally', cell: sumOf },
			]}
		/>
	);
}

export const boardFields = [
	'name',
	'board_type',
	'description',
	'credits_per_minute',
	'tags',
] as const;

export type BoardValues = Record<(typeof boardFields)[number], string>;

export async function showBoardForm(
	{ c, parts }: MemberVisit,
	values: BoardValues,
	error?: ApiError,
) {
	const form = { values, error };
	const id = c.req.param('id');
	const path = id && encodeURIComponent(id);
	const types = await listBoardTypes(parts.database.query);
	const title = id ? 'Edit a board' : 'Add a board';
	const main = (
		<section class="card medium">
			<h1>{title}</h1>
			<PostForm
				action={`/admin/boards/${path ?? 'new'}`}
				error={error}
				submit={id ? 'Save' : 'Add board'}
				cancel={path ? `/boards/${path}` : '/admin/boards'}
			>
				<div class="pair">
					<Field
						name="name"
						label="Name"
						form={form}
						help="For example “uno-01”."
						input={{ maxlength: 200 }}
					/>
					<BoardTypeField form={form} types={types} help="Determines its base images." />
				</div>
				<Field
					name="description"
					label="Description"
					form={form}
					optional
					input={{ rows: 2, maxlength: 2000 }}
				/>
				<Field
					name="tags"
					label="Tags"
					form={form}
					help="One on each line: a name, a colon and a value, for example rack: b2."
					optional
					input={{ rows: 3, spellcheck: 'false', class: 'mono' }}
				/>
				<Field
					name="credits_per_minute"
					label="Credits per minute"
					form={form}
					help="0 is free, also for the free tier."
					input={{ inputmode: 'numeric', maxlength: 7 }}
				/>
			</PostForm>
		</section>
	);
	return { title, main };
}

interface ManageBoardProps {
	board: BoardRecord;
	/** The status that an administrator set. */
	baseStatus: BoardRecord['status'];
}

/** What an administrator does with one board, on its page. */
export function ManageBoard({ board, baseStatus }: ManageBoardProps) {
	const path = `/admin/boards/${encodeURIComponent(board.id)}`;
	return (
		<section class="card">
			<div class="group-head">
				<h2>Manage</h2>
				<span class="actions">
					<ButtonLink href={path} text="Edit" />
					<ButtonLink href={`${path}/retire`} text="Retire" look="danger" asks />
				</span>
			</div>
			{(baseStatus === 'offline' || baseStatus === 'in_use') && (
				<form method="post" action={`${path}/available`}>
					<p class="muted">
						An administrator set this board to “{statusWords[baseStatus]}”, so no lease is granted
						on it.
					</p>
					<Button text="Set to available" />
				</form>
			)}
			<form method="post" action={`${path}/maintenance`}>
				{board.status === 'maintenance' ? (
					<>
						<p class="muted">No lease is granted on the board until its maintenance ends.</p>
						<Button text="End maintenance" name="on" value="false" />
					</>
				) : (
					<>
						<Field
							name="reason"
							label="Reason"
							help="Everyone sees it on this page. A current lease of the board continues until it ends."
							optional
							input={{ maxlength: 500 }}
						/>
						<Button text="Start maintenance" name="on" value="true" />
					</>
				)}
			</form>
		</section>
	);
}
