// Boards for administrators: one added, changed, put into maintenance, retired.
import { type FoundBoard, listBoardTypes, run } from 'board-access-core';
import { readId } from 'board-access-http/read';
import { statusWords } from '../boards/status.tsx';
import { BoardTypeField, Button, ButtonLink, Field } from '../elements/form.tsx';
import { Name } from '../elements/text.tsx';
import { readForm } from '../form.ts';
import { goTo, type MemberVisit, type Pages } from '../pages.tsx';
import { encodedPath } from '../paths.ts';
import { neededNumber, tags, text } from './fields.ts';
import { showInventory } from './inventory.tsx';
import { ItemForm, itemSentences, resourcePages } from './resource.tsx';

const path = '/admin/boards';

export function boardAdminPages(pages: Pages) {
	const { admins } = pages;
	admins.get(path, showInventory);
	admins.post(`${path}/:id/maintenance`, changeMaintenance);
	admins.post(`${path}/:id/available`, makeAvailable);
	resourcePages(pages, {
		path,
		operations: {
			create: 'createBoard',
			read: 'getBoardAsAdmin',
			update: 'updateBoard',
			remove: 'retireBoard',
		},
		fields: {
			name: text,
			board_type: text,
			description: text,
			credits_per_minute: neededNumber,
			tags,
		},
		sentences: {
			...itemSentences,
			credits_per_minute: 'Enter a whole number from 0 to 1,000,000.',
			tags: 'Enter a name, a colon and a value on each line, and each name once.',
		},
		showForm,
		created: ({ c }, { result: { id } }) =>
			goTo(c, `/boards/${encodeURIComponent(id)}`, 'board-created'),
		changed: ({ c }) => goTo(c, encodedPath(c, '/boards'), 'board-changed'),
		removal: 'retire',
		question: ({ id, name }) => ({
			title: 'Retire this board?',
			lead: 'It is removed from the list, and nobody can lease it again. Its past leases are kept.',
			facts: [
				['Board', <Name>{name}</Name>],
				['Identifier', <code>{id}</code>],
			],
			cancel: `/boards/${encodeURIComponent(id)}`,
			submit: 'Retire board',
		}),
		removed: ({ c }) => goTo(c, path, 'board-retired'),
	});
}

async function showForm(visit: MemberVisit) {
	const { c, services } = visit;
	const isNew = c.req.param('id') === undefined;
	const title = isNew ? 'Add a board' : 'Edit a board';
	const cancel = isNew ? path : encodedPath(c, '/boards');
	const main = (
		<ItemForm visit={visit} title={title} add="Add board" cancel={cancel}>
			<div class="pair">
				<Field name="name" label="Name" help="For example “uno-01”." input={{ maxlength: 200 }} />
				<BoardTypeField
					help="Determines its base images."
					suggestions={await listBoardTypes(services.database.query)}
				/>
			</div>
			<Field name="description" label="Description" optional input={{ rows: 2, maxlength: 2000 }} />
			<Field
				name="tags"
				label="Tags"
				help="One on each line: a name, a colon and a value, for example rack: b2."
				optional
				input={{ rows: 3, spellcheck: 'false', class: 'mono' }}
			/>
			<Field
				name="credits_per_minute"
				label="Credits per minute"
				value="0"
				help="0 is free, also for the free tier."
				input={{ inputmode: 'numeric', maxlength: 7 }}
			/>
		</ItemForm>
	);
	return { title, main };
}

async function changeMaintenance({ c, services, caller }: MemberVisit) {
	const { on: given, reason } = await readForm(c, ['on', 'reason']);
	const on = given === 'true';
	const sent = { ids: { id: readId(c) }, input: { on, reason } };
	await run(services, caller, 'setMaintenance', () => sent);
	const notice = on ? 'maintenance-on' : 'maintenance-off';
	return goTo(c, encodedPath(c, '/boards'), notice);
}

async function makeAvailable({ c, services, caller }: MemberVisit) {
	const sent = { ids: { id: readId(c) }, input: { status: 'available' } };
	await run(services, caller, 'updateBoard', () => sent);
	return goTo(c, encodedPath(c, '/boards'), 'board-changed');
}

/** The card with which an administrator manages a board; `baseStatus` is the status that one has set. */
export function manageBoard(board: FoundBoard, baseStatus: FoundBoard['status']) {
	const address = `${path}/${encodeURIComponent(board.id)}`;
	return (
		<section class="card">
			<div class="group-head">
				<h2>Manage</h2>
				<span class="actions">
					<ButtonLink href={address} text="Edit" />
					<ButtonLink href={`${address}/retire`} text="Retire" look="danger" />
				</span>
			</div>
			{(baseStatus === 'offline' || baseStatus === 'in_use') && (
				<form method="post" action={`${address}/available`}>
					<p class="muted">
						An administrator set this board to “{statusWords[baseStatus]}”, so no lease is granted
						on it.
					</p>
					<Button text="Set to available" />
				</form>
			)}
			<form method="post" action={`${address}/maintenance`}>
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
