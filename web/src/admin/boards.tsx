// Boards for administrators: one added, changed, put into maintenance, retired.
import { boardInput, boardUpdate, maintenanceInput } from 'board-access-contract';
import {
	createBoard,
	type FoundBoard,
	listBoardTypes,
	readBoard,
	retireBoard,
	setMaintenance,
	updateBoard,
	validate,
} from 'board-access-core';
import { readId } from 'board-access-http/read';
import { statusWords } from '../boards/status.tsx';
import { BoardTypeField, Button, ButtonLink, Field } from '../elements/form.tsx';
import { Name } from '../elements/text.tsx';
import { readForm } from '../form.ts';
import { goTo, type MemberVisit, type Pages } from '../pages.tsx';
import { encodedPath } from '../paths.ts';
import { importInventory, showInventory } from './inventory.tsx';
import { ItemForm, resourcePages, wholeNumber } from './resource.tsx';

const path = '/admin/boards';

export function boardAdminPages(pages: Pages) {
	const { admins } = pages;
	admins.get(path, showInventory);
	admins.post(path, importInventory);
	admins.post(`${path}/:id/maintenance`, changeMaintenance);
	admins.post(`${path}/:id/available`, makeAvailable);
	resourcePages(pages, {
		path,
		schemas: { create: boardInput, update: boardUpdate },
		read: (visit, id) => readBoard(visit.services.database.query, { ...visit.caller, id }),
		names,
		sentences,
		showForm,
		valuesOf: ({ tags, credits_per_minute, ...texts }) => ({
			...texts,
			credits_per_minute: String(credits_per_minute),
			tags: Object.entries(tags)
				.map(([name, value]) => `${name}: ${value}`)
				.join('\n'),
		}),
		inputOf: ({ tags, credits_per_minute, ...texts }) => ({
			...texts,
			credits_per_minute: wholeNumber(credits_per_minute),
			tags: tagsOf(tags.split('\n').filter((line) => line.trim())) ?? tags,
		}),
		create: async ({ c, services, caller }, input, claim) => {
			const { id, name } = (await createBoard(services, caller, input, claim)).result;
			return goTo(c, `/boards/${encodeURIComponent(id)}`, 'board-created', name);
		},
		update: ({ services, caller }, id, update) => updateBoard(services, { ...caller, id }, update),
		remove: ({ services }, id) => retireBoard(services, id),
		changed: (c, name) => goTo(c, encodedPath(c, '/boards'), 'board-changed', name),
		removal: 'retire',
		question: ({ id, name, board_type }) => ({
			title: 'Retire this board?',
			lead: 'It is removed from the list, and nobody can lease it again. Its past leases are kept.',
			facts: [
				['Board', <Name>{name}</Name>],
				['Type', <code dir="auto">{board_type}</code>],
				['Identifier', <code>{id}</code>],
			],
			cancel: `/boards/${encodeURIComponent(id)}`,
			submit: 'Retire board',
		}),
		removed: (c, name) => goTo(c, path, 'board-retired', name),
	});
}

const names = ['name', 'board_type', 'description', 'credits_per_minute', 'tags'] as const;

const sentences = {
	name: 'Enter a name of at most 200 characters.',
	board_type: 'Enter a board type of at most 100 characters.',
	description: 'Enter at most 2,000 characters.',
	credits_per_minute: 'Enter a whole number from 0 to 1,000,000.',
	tags: 'Enter a name, a colon and a value on each line, and each name once.',
};

async function showForm({ c, services }: MemberVisit) {
	const isNew = c.req.param('id') === undefined;
	const title = isNew ? 'Add a board' : 'Edit a board';
	const cancel = isNew ? path : encodedPath(c, '/boards');
	const main = (
		<ItemForm c={c} title={title} add="Add board" cancel={cancel}>
			<div class="pair">
				<Field name="name" label="Name" help="For example “uno-01”." input={{ maxlength: 200 }} />
				<BoardTypeField
					help="Determines its base images."
					types={await listBoardTypes(services.database.query)}
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

/** The tags that lines of text say, unless they cannot be tags. */
function tagsOf(lines: string[]) {
	if (!lines.every((line) => line.includes(':'))) return undefined;
	const tags = new Map(lines.map(tagOf));
	return tags.size === lines.length ? Object.fromEntries(tags) : undefined;
}

function tagOf(line: string): [string, string] {
	const [name = '', ...value] = line.split(':');
	return [name.trim(), value.join(':').trim()];
}

async function changeMaintenance({ c, services, caller }: MemberVisit) {
	const { on, reason } = await readForm(c, ['on', 'reason']);
	const maintenance = validate(maintenanceInput, { on: on === 'true', reason });
	await setMaintenance(services, { ...caller, id: readId(c) }, maintenance);
	const notice = maintenance.on ? 'maintenance-on' : 'maintenance-off';
	return goTo(c, encodedPath(c, '/boards'), notice);
}

async function makeAvailable({ c, services, caller }: MemberVisit) {
	await updateBoard(services, { ...caller, id: readId(c) }, { status: 'available' });
	return goTo(c, encodedPath(c, '/boards'), 'board-changed');
}

/** What an administrator does with one board, on its page; `baseStatus` is what an administrator set. */
export function manageBoard(board: FoundBoard, baseStatus: FoundBoard['status']) {
	const address = `${path}/${encodeURIComponent(board.id)}`;
	return (
		<section class="card">
			<div class="group-head">
				<h2>Manage</h2>
				<span class="actions">
					<ButtonLink href={address} text="Edit" />
					<ButtonLink href={`${address}/retire`} text="Retire" look="danger" asks />
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
