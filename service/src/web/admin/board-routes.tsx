// The inventory for administrators: boards of each type, and their import.
import { readBoards } from '../../boards/files.ts';
import { AmbiguousBoardError, importBoards } from '../../boards/import.ts';
import { summariseBoardTypes } from '../../boards/search.ts';
import { ApiError } from '../../errors.ts';
import type { ServiceApp } from '../../http/environment.ts';
import type { Parts } from '../../parts.ts';
import { invalid } from '../../validation.ts';
import { readForm, refusal } from '../form.ts';
import { goTo, type Pages, refused } from '../pages.tsx';
import { Inventory } from './inventory-page.tsx';

export function boardAdminPages(
	app: ServiceApp,
	{ database: { query }, settings }: Pick<Parts, 'database' | 'settings'>,
	{ forAdmins }: Pages,
) {
	const show = async (text: string, error?: ApiError) => ({
		title: 'Inventory',
		main: (
			<Inventory
				types={await summariseBoardTypes(query)}
				text={text}
				error={error}
				baseUrl={settings.baseUrl}
			/>
		),
	});

	const add = async (text: string) => importBoards(query, boardsIn(text)).catch(refuseBoards);

	app.get(
		'/admin/boards',
		forAdmins(() => show('')),
	);

	app.post(
		'/admin/boards',
		forAdmins(async ({ c }) => {
			const { boards } = await readForm(c, ['boards']);
			const done = await add(boards).catch(refusal);
			if (done instanceof ApiError) return refused(await show(boards, done), done);
			return goTo(c, '/admin/boards', 'boards-imported');
		}),
	);
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
