// The pages of what administrators add, change and remove one by one.
import { errorStatuses } from 'board-access-contract';
import { ApiError, type Claim, validate } from 'board-access-core';
import { readId } from 'board-access-http/read';
import type { Child } from 'hono/jsx';
import type * as z from 'zod/mini';
import { CardForm } from '../elements/form.tsx';
import { ask, type Question } from '../elements/question.tsx';
import { readForm, type Sentences } from '../form.ts';
import { claimFor, type MemberVisit, onSubmit, type Page, type Pages } from '../pages.tsx';
import { type Fields, readFields, textsOf } from './fields.ts';

interface Resource<Item extends { name: string }, New, Update> {
	/** The address of its list. */
	path: string;
	schemas: { create: z.ZodMiniType<New>; update: z.ZodMiniType<Update> };
	fields: Fields;
	read: (visit: MemberVisit, id: string) => Promise<Item>;
	showForm: (visit: MemberVisit) => Promise<Page>;
	create: (visit: MemberVisit, input: New, claim?: Claim) => Promise<Page | Response>;
	update: (visit: MemberVisit, id: string, update: Update) => Promise<Item>;
	remove: (visit: MemberVisit, id: string) => Promise<Item>;
	changed: (visit: MemberVisit) => Response;
	/** The end of the address at which it is removed. */
	removal: string;
	question: (item: Item) => Question;
	removed: (visit: MemberVisit) => Response;
}

export function resourcePages<Item extends { name: string }, New, Update>(
	{ admins }: Pages,
	resource: Resource<Item, New, Update>,
) {
	const { path, schemas, fields, showForm, removal } = resource;
	const read = (visit: MemberVisit) => resource.read(visit, readId(visit.c));
	const sentences: Sentences = Object.fromEntries(
		Object.entries(fields).flatMap(([name, { sentence }]) => (sentence ? [[name, sentence]] : [])),
	);
	const form = { fields: Object.keys(fields), sentences, again: showForm };
	const create = onSubmit({
		...form,
		change: async (visit, texts) => {
			const { token } = await readForm(visit.c, ['token']);
			const input = validate(schemas.create, readFields(fields, texts));
			return resource.create(visit, input, claimFor(visit, input, token));
		},
	});
	const change = onSubmit({
		...form,
		change: async (visit, texts) => {
			const update = validate(schemas.update, readFields(fields, texts));
			await resource.update(visit, readId(visit.c), update);
			return resource.changed(visit);
		},
	});
	admins.get(`${path}/new`, showForm);
	admins.post(`${path}/new`, create);
	admins.get(`${path}/:id`, async (visit) => {
		visit.c.set('filled', { values: textsOf(fields, await read(visit)) });
		return showForm(visit);
	});
	admins.post(`${path}/:id`, change);
	admins.get(`${path}/:id/${removal}`, async (visit) =>
		ask(visit, resource.question(await read(visit))),
	);
	admins.post(`${path}/:id/${removal}`, async (visit) => {
		await resource.remove(visit, readId(visit.c)).catch(unlessGone);
		return resource.removed(visit);
	});
}

/** The form was sent before. */
function unlessGone(error: unknown): undefined {
	if (!(error instanceof ApiError) || errorStatuses[error.code] !== 404) throw error;
}

interface ItemFormProps {
	visit: MemberVisit;
	title: Child;
	lead?: string;
	/** The text of the button that adds the item. */
	add: string;
	cancel: string;
	children: Child;
}

/** The form of a new item, or of the one that the address names. */
export function ItemForm({ visit: { c }, add, ...form }: ItemFormProps) {
	const submit = c.req.param('id') ? 'Save' : add;
	return <CardForm {...form} size="medium" action={c.req.path} submit={submit} />;
}
