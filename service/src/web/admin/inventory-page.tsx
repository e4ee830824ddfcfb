// The number of boards of each type, and the import of more.
import type { summariseBoardTypes } from '../../boards/search.ts';
import type { ApiError } from '../../errors.ts';
import { boardsRequest } from '../boards/requests.ts';
import { statuses, statusWords } from '../boards/status.tsx';
import { CodeBlock } from '../elements/code-block.tsx';
import { FormAlert, TextArea } from '../elements/field.tsx';
import { Icon } from '../elements/icon.tsx';
import { PageHead } from '../elements/page-head.tsx';
import { SameRequest } from '../elements/same-request.tsx';
import { Table } from '../elements/table.tsx';
import { withQuery } from '../paths.ts';

type TypeSummary = Awaited<ReturnType<typeof summariseBoardTypes>>[number];

interface InventoryProps {
	types: TypeSummary[];
	text: string;
	error: ApiError | undefined;
	baseUrl: string;
}

export function Inventory({ types, text, error, baseUrl }: InventoryProps) {
	return (
		<>
			<PageHead title="Inventory" lead="The boards of this service, type by type.">
				<a class="button primary" href="/admin/boards/new">
					<Icon name="plus" />
					Add board
				</a>
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
					<TextArea
						name="boards"
						label="Boards as CSV or as a JSON array"
						value={text}
						error={error}
						help="Required: name and board_type. Up to 64 KiB; for more, use the command below."
						input={{ rows: 6, placeholder: example, spellcheck: 'false', class: 'mono' }}
					/>
					<button type="submit" class="button primary">
						Import
					</button>
				</form>
				<h3>On the machine that runs the service</h3>
				<CodeBlock
					id="import-command"
					what="the commands"
					text={
						'board-access-service boards export --format csv > boards.csv\nboard-access-service boards import boards.csv'
					}
				/>
			</section>
			<SameRequest examples={boardsRequest(baseUrl)} />
		</>
	);
}

const example = `name,board_type,status,description,tags.location
esp32-s3-04,esp32-s3,available,ESP32-S3-DevKitC-1,rack-1`;

function TypeTable({ types }: { types: TypeSummary[] }) {
	return (
		<Table
			caption="Boards of each type"
			rows={types}
			columns={[
				{
					label: 'Type',
					cell: ({ board_type }) => (
						<a href={withQuery('/boards', { board_type })}>
							<code dir="auto">{board_type}</code>
						</a>
					),
					class: 'main-cell',
				},
				...statuses.map((status) => ({
					label: statusWords[status],
					class: 'tally',
					cell: (type: TypeSummary) => (
						<span class={type[status] === 0 ? 'number muted' : 'number'}>{type[status]}</span>
					),
				})),
				{
					label: 'All',
					class: 'tally',
					cell: (type: TypeSummary) => (
						<strong class="number">
							{statuses.reduce((sum, status) => sum + type[status], 0)}
						</strong>
					),
				},
			]}
		/>
	);
}
