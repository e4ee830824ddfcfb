// One board for administrators: added, changed, put into maintenance, retired.
import { board } from 'board-access-contract';
import { listBoardTypes } from '../../boards/store.ts';
import { ApiError } from '../../errors.ts';
import type { ServiceApp, ServiceContext } from '../../http/environment.ts';
import type { Parts } from '../../parts.ts';
import { readApi, requestApi } from '../api.ts';
import { formKey } from '../elements/form-token.tsx';
import { Question } from '../elements/question.tsx';
import { inPlainWords, readForm, refusal } from '../form.ts';
import { goTo, type Pages, refused } from '../pages.tsx';
import { BoardForm, type BoardValues, boardFields } from './board-form.tsx';

export function boardChangePages(
	app: ServiceApp,
	{ database: { query } }: Pick<Parts, 'database'>,
	{ forAdmins }: Pages,
) {
	const form = async (id: string | undefined, values: BoardValues, error?: ApiError) => ({
		title: id ? 'Edit a board' : 'Add a board',
		main: <BoardForm id={id} values={values} error={error} types={await listBoardTypes(query)} />,
	});

	const formAgain = async (id: string | undefined, values: BoardValues, error: ApiError) => {
		const worded = inPlainWords(error, sentences);
		return refused(await form(id, values, worded), worded);
	};

	const existing = (c: ServiceContext) => readApi(app, c, { path: boardPath(c), schema: board });

	app.get(
		'/admin/boards/new',
		forAdmins(() => form(undefined, blank)),
	);

	app.post(
		'/admin/boards/new',
		forAdmins(async ({ c }) => {
			const { token, ...values } = await readForm(c, [...boardFields, 'token']);
			const done = await readApi(app, c, {
				method: 'POST',
				path: '/admin/boards',
				json: asInput(values),
				headers: { 'idempotency-key': formKey(token) },
				schema: board,
			}).catch(refusal);
			if (done instanceof ApiError) return formAgain(undefined, values, done);
			return goTo(c, pageOf(done.id), 'board-created');
		}),
	);

	app.get(
		'/admin/boards/:id',
		forAdmins(async ({ c }) => {
			const found = await existing(c);
			const tags = Object.entries(found.tags).map(([name, value]) => `${name}: ${value}`);
			const credits_per_minute = String(found.credits_per_minute);
			return form(found.id, { ...found, credits_per_minute, tags: tags.join('\n') });
		}),
	);

	app.post(
		'/admin/boards/:id',
		forAdmins(async ({ c }) => {
			const values = await readForm(c, boardFields);
			const { id } = await existing(c);
			const request = { method: 'PATCH', path: boardPath(c), json: asInput(values) } as const;
			const done = await requestApi(app, c, request).catch(refusal);
			if (done instanceof ApiError) return formAgain(id, values, done);
			return goTo(c, pageOf(id), 'board-changed');
		}),
	);

	app.post(
		'/admin/boards/:id/maintenance',
		forAdmins(async ({ c }) => {
			const { on, reason } = await readForm(c, ['on', 'reason']);
			const path = `${boardPath(c)}/maintenance`;
			const json = { on: on === 'true', reason };
			await requestApi(app, c, { method: 'POST', path, json });
			const notice = json.on ? 'maintenance-on' : 'maintenance-off';
			return goTo(c, pageOf(c.req.param('id') ?? ''), notice);
		}),
	);

	app.post(
		'/admin/boards/:id/available',
		forAdmins(async ({ c }) => {
			const json = { status: 'available' };
			await requestApi(app, c, { method: 'PATCH', path: boardPath(c), json });
			return goTo(c, pageOf(c.req.param('id') ?? ''), 'board-changed');
		}),
	);

	app.get(
		'/admin/boards/:id/retire',
		forAdmins(async ({ c }) => {
			const { id, name, board_type } = await existing(c);
			const main = (
				<Question
					title="Retire this board?"
					lead="It is removed from the list, and nobody can lease it again. Its past leases are kept."
					facts={[
						['Board', <bdi>{name}</bdi>],
						['Type', <code dir="auto">{board_type}</code>],
						['Identifier', <code>{id}</code>],
					]}
					action={`/admin/boards/${encodeURIComponent(id)}/retire`}
					cancel={pageOf(id)}
					submit="Retire board"
				/>
			);
			return { title: 'Retire a board', main };
		}),
	);

	app.post(
		'/admin/boards/:id/retire',
		forAdmins(async ({ c }) => {
			await requestApi(app, c, { method: 'DELETE', path: boardPath(c) });
			return goTo(c, '/admin/boards', 'board-retired');
		}),
	);
}

const blank: BoardValues = {
	name: '',
	board_type: '',
	description: '',
	credits_per_minute: '0',
	tags: '',
};

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

function boardPath(c: ServiceContext) {
	return `/admin/boards/${encodeURIComponent(c.req.param('id') ?? '')}`;
}

function pageOf(id: string) {
	return `/boards/${encodeURIComponent(id)}`;
}
