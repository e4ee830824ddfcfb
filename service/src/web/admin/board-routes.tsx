// Boards for administrators: the inventory and its import; one board added, changed, put into
// maintenance, retired.
import { board } from 'board-access-contract';
import { readBoards } from '../../boards/files.ts';
import { AmbiguousBoardError, importBoards } from '../../boards/import.ts';
import type { ServiceApp } from '../../http/environment.ts';
import { invalid } from '../../validation.ts';
import { bodyOf, readApi, requestApi } from '../api.ts';
import { formKey } from '../elements/form.tsx';
import { ask } from '../elements/question.tsx';
import { Name } from '../elements/text.tsx';
import { readForm } from '../form.ts';
import { goTo, type MemberVisit, type Pages, submitForm } from '../pages.tsx';
import { encodedPath } from '../paths.ts';
import { type BoardValues, boardFields, showBoardForm, showInventory } from './board-pages.tsx';

const path = '/admin/boards';

export function boardAdminPages(app: ServiceApp, { forAdmins }: Pages) {
	app.get(
		path,
		forAdmins((visit) => showInventory(visit)),
	);
	app.post(path, forAdmins(addMany));
	app.get(
		`${path}/new`,
		forAdmins((visit) => showBoardForm(visit, blank)),
	);
	app.post(`${path}/new`, forAdmins(create));
	app.get(`${path}/:id`, forAdmins(edit));
	app.post(`${path}/:id`, forAdmins(change));
	app.post(`${path}/:id/maintenance`, forAdmins(changeMaintenance));
	app.post(`${path}/:id/available`, forAdmins(makeAvailable));
	app.get(`${path}/:id/retire`, forAdmins(askToRetire));
	app.post(`${path}/:id/retire`, forAdmins(retire));
}

async function addMany(visit: MemberVisit) {
	const { boards } = await readForm(visit.c, ['boards']);
	return submitForm({
		change: async () => {
			await importBoards(visit.parts.database.query, boardsIn(boards)).catch(refuseBoards);
			return goTo(visit.c, path, 'boards-imported');
		},
		again: (error) => showInventory(visit, boards, error),
	});
}

function boardsIn(text: string) {
	try {
		return readBoards(text, text.trimStart().startsWith('[') ? 'json' : 'csv');
	} catch (error) {
		// Any error here is caused by the text.
		throw refusedBoards(error instanceof Error ? error.message : String(error));
	}
}

function refuseBoards(error: unknown): never {
	throw error instanceof AmbiguousBoardError ? refusedBoards(error.message) : error;
}

function refusedBoards(message: string) {
	return invalid([{ path: 'boards', message: `These boards cannot be imported: ${message}` }]);
}

async function create(visit: MemberVisit) {
	const { token, ...values } = await readForm(visit.c, [...boardFields, 'token']);
	return submitForm({
		change: async () => {
			const sent = { json: asInput(values), key: formKey(token) };
			const { id } = await bodyOf(await requestApi(visit, 'POST', path, sent), board);
			return goTo(visit.c, `/boards/${encodeURIComponent(id)}`, 'board-created');
		},
		again: (error) => showBoardForm(visit, values, error),
		sentences,
	});
}

function existing(visit: MemberVisit) {
	return readApi(visit, encodedPath(visit.c, path), board);
}

async function edit(visit: MemberVisit) {
	const { tags, credits_per_minute, ...texts } = await existing(visit);
	const lines = Object.entries(tags).map(([name, value]) => `${name}: ${value}`);
	const credits = String(credits_per_minute);
	return showBoardForm(visit, { ...texts, credits_per_minute: credits, tags: lines.join('\n') });
}

async function change(visit: MemberVisit) {
	const values = await readForm(visit.c, boardFields);
	await existing(visit);
	return submitForm({
		change: async () => {
			await requestApi(visit, 'PATCH', encodedPath(visit.c, path), { json: asInput(values) });
			return goTo(visit.c, encodedPath(visit.c, '/boards'), 'board-changed');
		},
		again: (error) => showBoardForm(visit, values, error),
		sentences,
	});
}

async function changeMaintenance(visit: MemberVisit) {
	const { on, reason } = await readForm(visit.c, ['on', 'reason']);
	const json = { on: on === 'true', reason };
	await requestApi(visit, 'POST', `${encodedPath(visit.c, path)}/maintenance`, { json });
	const notice = json.on ? 'maintenance-on' : 'maintenance-off';
	return goTo(visit.c, encodedPath(visit.c, '/boards'), notice);
}

async function makeAvailable(visit: MemberVisit) {
	const json = { status: 'available' };
	await requestApi(visit, 'PATCH', encodedPath(visit.c, path), { json });
	return goTo(visit.c, encodedPath(visit.c, '/boards'), 'board-changed');
}

async function askToRetire(visit: MemberVisit) {
	const { id, name, board_type } = await existing(visit);
	return ask(visit, 'Retire a board', {
		title: 'Retire this board?',
		lead: 'It is removed from the list, and nobody can lease it again. Its past leases are kept.',
		facts: [
			['Board', <Name>{name}</Name>],
			['Type', <code dir="auto">{board_type}</code>],
			['Identifier', <code>{id}</code>],
		],
		cancel: encodedPath(visit.c, '/boards'),
		submit: 'Retire board',
	});
}

async function retire(visit: MemberVisit) {
	await requestApi(visit, 'DELETE', encodedPath(visit.c, path));
	return goTo(visit.c, path, 'board-retired');
}

const blank = { name: '', board_type: '', description: '', credits_per_minute: '0', tags: '' };

const sentences = {
	name: 'Enter a name of at most 200 characters.',
	board_type: 'Enter a board type of at most 100 characters.',
	description: 'Enter at most 2,000 characters.',
	credits_per_minute: 'Enter a whole number from 0 to 1,000,000.',
	tags: 'Enter a name, a colon and a value on each line, and each name once.',
};

/** The form as input of the API. Text that is not a number, or not tags, is kept, so that it is rejected. */
function asInput({ tags, credits_per_minute, ...texts }: BoardValues) {
	const price = credits_per_minute.trim();
	return {
		...texts,
		credits_per_minute: /^\d+$/.test(price) ? Number(price) : price,
		tags: tagsOf(tags.split('\n').filter((line) => line.trim())) ?? tags,
	};
}

function tagsOf(lines: string[]) {
	if (!lines.every((line) => line.includes(':'))) return undefined;
	const tags = new Map(lines.map(tagOf));
	return tags.size === lines.length ? Object.fromEntries(tags) : undefined;
}

function tagOf(line: string): [string, string] {
	const [name = '', ...value] = line.split(':');
	return [name.trim(), value.join(':').trim()];
}
