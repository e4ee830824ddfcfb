// The pages of what administrators add, change and remove one by one.
import { errorStatuses } from 'board-access-contract';
import { ApiError, type Claim, validate } from 'board-access-core';
import type { ServiceContext } from 'board-access-http/environment';
import { readId } from 'board-access-http/read';
import type { Child } from 'hono/jsx';
import type * as z from 'zod/mini';
import { PostForm } from '../elements/form.tsx';
import { ask, type Question } from '../elements/question.tsx';
import { readForm, type Sentences } from '../form.ts';
import { claimFor, type MemberVisit, onSubmit, type Page, type Pages } from '../pages.tsx';

interface Resource<Item extends { name: string }, Name extends string, New, Update> {
	/** The address of its list. */
	path: string;
	schemas: { create: z.ZodMiniType<New>; update: z.ZodMiniType<Update> };
	read: (visit: MemberVisit, id: string) => Promise<Item>;
	names: readonly Name[];
	sentences: Sentences;
	showForm: (visit: MemberVisit) => Promise<Page>;
	valuesOf: (item: Item) => Record<Name, string>;
	/** The form as the schemas describe it. */
	inputOf: (values: Record<Name, string>) => object;
	create: (visit: MemberVisit, input: New, claim?: Claim) => Promise<Page | Response>;
	update: (visit: MemberVisit, id: string, update: Update) => Promise<Item>;
	remove: (visit: MemberVisit, id: string) => Promise<Item>;
	changed: (c: ServiceContext, name: string) => Response;
	/** The end of the address at which it is removed. */
	removal: string;
	question: (item: Item) => Question;
	removed: (c: ServiceContext, name?: string) => Response;
}

export function resourcePages<Item extends { name: string }, Name extends string, New, Update>(
	{ admins }: Pages,
	resource: Resource<Item, Name, New, Update>,
) {
	const { path, schemas, names: fields, sentences, showForm, inputOf, removal } = resource;
	const read = (visit: MemberVisit) => resource.read(visit, readId(visit.c));
	const form = { fields, sentences, again: showForm };
	const create = onSubmit({
		...form,
		change: async (visit, values) => {
			const { token } = await readForm(visit.c, ['token']);
			const input = validate(schemas.create, inputOf(values));
			return resource.create(visit, input, claimFor(visit, input, token));
		},
	});
	const change = onSubmit({
		...form,
		change: async (visit, values) => {
			const update = validate(schemas.update, inputOf(values));
			const { name } = await resource.update(visit, readId(visit.c), update);
			return resource.changed(visit.c, name);
		},
	});
	admins.get(`${path}/new`, showForm);
	admins.post(`${path}/new`, create);
	admins.get(`${path}/:id`, async (visit) => {
		visit.c.set('filled', { values: resource.valuesOf(await read(visit)) });
		return showForm(visit);
	});
	admins.post(`${path}/:id`, change);
	admins.get(`${path}/:id/${removal}`, async (visit) =>
		ask(visit, resource.question(await read(visit))),
	);
	admins.post(`${path}/:id/${removal}`, async (visit) => {
		const item = await resource.remove(visit, readId(visit.c)).catch(unlessGone);
		return resource.removed(visit.c, item?.name);
	});
}

/** The form was sent before. */
function unlessGone(error: unknown): undefined {
	if (!(error instanceof ApiError) || errorStatuses[error.code] !== 404) throw error;
}

interface ItemFormProps {
	c: ServiceContext;
	title: Child;
	lead?: string;
	/** The text of the button that adds the item. */
	add: string;
	cancel: string;
	children: Child;
}

/** The form of a new item, or of the one that the address names. */
export function ItemForm({ c, title, lead, add, cancel, children }: ItemFormProps) {
	const submit = c.req.param('id') ? 'Save' : add;
	return (
		<section class="card medium">
			<h1>{title}</h1>
			{lead && <p class="lead">{lead}</p>}
			<PostForm action={c.req.path} submit={submit} cancel={cancel}>
				{children}
			</PostForm>
		</section>
	);
}

/** A whole number as a number; any other text is kept, so that it is rejected. */
export function wholeNumber(text: string) {
	return /^\d+$/.test(text.trim()) ? Number(text) : text;
}
