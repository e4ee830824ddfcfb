// The pages of what administrators add, change and remove one by one.
import { errorStatuses } from 'board-access-contract';
import { ApiError, type CommandName, type Done, run } from 'board-access-core';
import { readId } from 'board-access-http/read';
import { CardForm, type CardFormProps } from '../elements/form.tsx';
import { ask, type Question } from '../elements/question.tsx';
import { readForm, type Sentences } from '../form.ts';
import {
	claimFor,
	type Handle,
	type MemberVisit,
	onSubmit,
	type Page,
	type Pages,
} from '../pages.tsx';
import { type Fields, readFields, textsOf } from './fields.ts';

interface Resource<Create extends CommandName, Read extends CommandName> {
	/** The path of the list. */
	path: string;
	operations: { create: Create; read: Read; update: CommandName; remove: CommandName };
	fields: Fields;
	sentences: Sentences;
	showForm: (visit: MemberVisit) => Promise<Page>;
	created: (visit: MemberVisit, done: Done<Create>) => ReturnType<Handle<MemberVisit>>;
	changed: (visit: MemberVisit) => Response;
	/** The last part of the path that removes an item. */
	removal: string;
	question: (item: Done<Read>) => Question;
	removed: (visit: MemberVisit) => Response;
}

export function resourcePages<Create extends CommandName, Read extends CommandName>(
	{ admins }: Pages,
	resource: Resource<Create, Read>,
) {
	const { path, operations, fields, sentences, showForm, removal } = resource;
	const idsOf = ({ c }: MemberVisit) => ({ ids: { id: readId(c) } });
	const read = (visit: MemberVisit) =>
		run(visit.services, visit.caller, operations.read, () => idsOf(visit));
	const form = { fields: Object.keys(fields), sentences, again: showForm };
	const create = onSubmit({
		...form,
		change: async (visit, texts) => {
			const { token } = await readForm(visit.c, ['token']);
			const done = await run(visit.services, visit.caller, operations.create, () => ({
				input: readFields(fields, texts),
				claimFor: (input) => claimFor(visit, input, token),
			}));
			return resource.created(visit, done);
		},
	});
	const change = onSubmit({
		...form,
		change: async (visit, texts) => {
			const sent = { ...idsOf(visit), input: readFields(fields, texts) };
			await run(visit.services, visit.caller, operations.update, () => sent);
			return resource.changed(visit);
		},
	});
	admins.get(`${path}/new`, showForm);
	admins.post(`${path}/new`, create);
	admins.get(`${path}/:id`, async (visit) => {
		visit.c.set('filled', { values: textsOf(fields, Object(await read(visit))) });
		return showForm(visit);
	});
	admins.post(`${path}/:id`, change);
	admins.get(`${path}/:id/${removal}`, async (visit) =>
		ask(visit, resource.question(await read(visit))),
	);
	admins.post(`${path}/:id/${removal}`, async (visit) => {
		const { services, caller } = visit;
		await run(services, caller, operations.remove, () => idsOf(visit)).catch(unlessGone);
		return resource.removed(visit);
	});
}

/** For the fields that every item has. */
export const itemSentences = {
	name: 'Enter a name of at most 200 characters.',
	board_type: 'Enter a board type of at most 100 characters.',
	description: 'Enter at most 2,000 characters.',
};

/** The same form, sent before, has removed the item. */
function unlessGone(error: unknown): undefined {
	if (!(error instanceof ApiError) || errorStatuses[error.code] !== 404) throw error;
}

interface ItemFormProps extends Omit<CardFormProps, 'action' | 'submit'> {
	visit: MemberVisit;
	/** The text of the button that adds the item. */
	add: string;
}

/** The form of a new item, or of the item in the path. */
export function ItemForm({ visit: { c }, add, ...form }: ItemFormProps) {
	const submit = c.req.param('id') ? 'Save' : add;
	return <CardForm {...form} size="medium" action={c.req.path} submit={submit} />;
}
