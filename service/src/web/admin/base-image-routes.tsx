// Base images for administrators: what is flashed or erased, in which order, for each board type.
import { baseImageInput, baseImageUpdate } from 'board-access-contract';
import { createBaseImageOnce, mergeBaseImage } from '../../base-images/create.ts';
import {
	type BaseImageRecord,
	deleteBaseImage,
	findBaseImage,
	listBaseImages,
	moveBaseImage,
	updateBaseImage,
} from '../../base-images/store.ts';
import { listBoardTypes } from '../../boards/store.ts';
import { ApiError } from '../../errors.ts';
import type { ServiceApp, ServiceContext } from '../../http/environment.ts';
import type { Parts } from '../../parts.ts';
import { validate } from '../../validation.ts';
import { formKey } from '../elements/form-token.tsx';
import { Question } from '../elements/question.tsx';
import { inPlainWords, readForm, readLine, refusal } from '../form.ts';
import { goTo, type Pages, refused } from '../pages.tsx';
import { BaseImageForm, type BaseImageValues, baseImageFields } from './base-image-form.tsx';
import { BaseImageList } from './base-image-list.tsx';

export function baseImagePages(
	app: ServiceApp,
	{ database, settings }: Pick<Parts, 'database' | 'settings'>,
	{ forAdmins }: Pages,
) {
	const { query } = database;
	const { baseUrl } = settings;

	app.get(
		'/admin/base-images',
		forAdmins(async () => ({
			title: 'Base images',
			main: (
				<BaseImageList
					images={await listBaseImages(query)}
					types={await listBoardTypes(query)}
					baseUrl={baseUrl}
				/>
			),
		})),
	);

	const form = async (values: BaseImageValues, error?: ApiError, id?: string) => ({
		title: id ? 'Edit a base image' : 'Add a base image',
		main: (
			<BaseImageForm
				id={id}
				values={values}
				error={error}
				types={await listBoardTypes(query)}
				baseUrl={baseUrl}
			/>
		),
	});

	app.get(
		'/admin/base-images/new',
		forAdmins(({ c }) => form({ ...blank, board_type: readLine(c, 'board_type') })),
	);

	app.post(
		'/admin/base-images',
		forAdmins(async ({ c, account }) => {
			const { token, ...values } = await readForm(c, [...baseImageFields, 'token']);
			const create = async () =>
				createBaseImageOnce(c, database, {
					key: formKey(token),
					accountId: account.id,
					image: validate(baseImageInput, asInput(values)),
				});
			const done = await create().catch(refusal);
			if (done instanceof ApiError) {
				const error = inPlainWords(done, sentences);
				return refused(await form(values, error), error);
			}
			return goTo(c, '/admin/base-images', 'image-created');
		}),
	);

	const existing = async (c: ServiceContext) => {
		const image = await findBaseImage(query, c.req.param('id') ?? '');
		if (!image) throw new ApiError('base_image_not_found', 'There is no such base image.');
		return image;
	};

	app.get(
		'/admin/base-images/:id',
		forAdmins(async ({ c }) => {
			const image = await existing(c);
			const { position, enabled, ...texts } = image;
			const values = { ...texts, position: String(position), enabled: enabled ? 'on' : '' };
			return form(values, undefined, image.id);
		}),
	);

	app.post(
		'/admin/base-images/:id',
		forAdmins(async ({ c }) => {
			const values = await readForm(c, baseImageFields);
			const image = await existing(c);
			const save = async () =>
				updateBaseImage(
					query,
					image.id,
					mergeBaseImage(image, validate(baseImageUpdate, asInput(values))),
				);
			const done = await save().catch(refusal);
			if (done instanceof ApiError) {
				const error = inPlainWords(done, sentences);
				return refused(await form(values, error, image.id), error);
			}
			return goTo(c, '/admin/base-images', 'image-changed');
		}),
	);

	const changes = {
		up: ({ id }: BaseImageRecord) => moveBaseImage(query, id, -1),
		down: ({ id }: BaseImageRecord) => moveBaseImage(query, id, 1),
		enable: (image: BaseImageRecord) => updateBaseImage(query, image.id, withEnabled(image, true)),
		disable: (image: BaseImageRecord) =>
			updateBaseImage(query, image.id, withEnabled(image, false)),
	} as const;

	app.post(
		'/admin/base-images/:id/change',
		forAdmins(async ({ c }) => {
			const image = await existing(c);
			const { change } = await readForm(c, ['change']);
			if (!isChange(change)) throw new ApiError('not_found', 'This action does not exist.');
			await changes[change](image);
			return goTo(c, '/admin/base-images', 'image-changed');
		}),
	);

	const isChange = (text: string): text is keyof typeof changes => Object.hasOwn(changes, text);

	app.get(
		'/admin/base-images/:id/delete',
		forAdmins(async ({ c }) => {
			const { id, name, board_type, action } = await existing(c);
			const main = (
				<Question
					title="Delete this base image?"
					lead="It is no longer part of the preparation of its boards. You cannot undo this."
					facts={[
						['Name', <bdi>{name}</bdi>],
						['Board type', <code dir="auto">{board_type}</code>],
						['Action', action],
					]}
					action={`/admin/base-images/${id}/delete`}
					cancel="/admin/base-images"
					submit="Delete base image"
				/>
			);
			return { title: 'Delete a base image', main };
		}),
	);

	app.post(
		'/admin/base-images/:id/delete',
		forAdmins(async ({ c }) => {
			await deleteBaseImage(query, c.req.param('id') ?? '');
			return goTo(c, '/admin/base-images', 'image-deleted');
		}),
	);
}

function withEnabled(image: BaseImageRecord, enabled: boolean) {
	return mergeBaseImage(image, { enabled });
}

const blank: BaseImageValues = {
	action: 'flash',
	board_type: '',
	name: '',
	description: '',
	url: '',
	flash_offset: '0x0',
	position: '',
	enabled: 'on',
};

const sentences = {
	action: 'Choose flash or erase.',
	board_type: 'Enter a board type of at most 100 characters.',
	name: 'Enter a name of at most 200 characters.',
	description: 'Enter at most 2,000 characters.',
	url: 'Enter the http or https address of the image, without spaces or a user name.',
	flash_offset: 'Enter the offset as 0x10000 or 65536; the highest is 0xffffffff.',
	position: 'Enter a whole number from 0 to 2,147,483,647, or leave it empty.',
};

/** The form as input of the API. A position that is not a number is kept, so that it is rejected. */
function asInput({ position, enabled, url, flash_offset, ...texts }: BaseImageValues) {
	// The form hides these two for an erase, even if they still contain text.
	const flash = texts.action === 'erase' ? {} : { url, flash_offset: flash_offset.trim() || '0x0' };
	return {
		...texts,
		...flash,
		...(position.trim() && {
			position: /^\d+$/.test(position.trim()) ? Number(position) : position,
		}),
		enabled: enabled === 'on',
	};
}
