// Base images for administrators: what is flashed or erased, in which order, for each board type.
import { randomUUID } from 'node:crypto';
import { baseImageInput } from 'board-access-contract';
import { createBaseImageOnce } from '../../base-images/create.ts';
import { listBaseImages } from '../../base-images/store.ts';
import { listBoardTypes } from '../../boards/store.ts';
import { ApiError } from '../../errors.ts';
import type { ServiceApp } from '../../http/environment.ts';
import type { Parts } from '../../parts.ts';
import { validate } from '../../validation.ts';
import { readForm, readLine, refusal } from '../form.ts';
import { goTo, type Pages, refused } from '../page.tsx';
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
			main: <BaseImageList images={await listBaseImages(query)} baseUrl={baseUrl} />,
		})),
	);

	const form = async (values: BaseImageValues, fault?: ApiError) => ({
		title: 'Add a base image',
		main: (
			<BaseImageForm
				values={values}
				fault={fault}
				token={randomUUID()}
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
					key: `web ${token || randomUUID()}`,
					accountId: account.id,
					image: validate(baseImageInput, asInput(values)),
				});
			const done = await create().catch(refusal);
			if (done instanceof ApiError) return refused(await form(values, done), done);
			return goTo(c, '/admin/base-images', 'image-created');
		}),
	);
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

/** What a form says, as the API would be told it. A position that is no number stays what it is. */
function asInput({ position, enabled, flash_offset, ...texts }: BaseImageValues) {
	return {
		...texts,
		...(flash_offset.trim() && { flash_offset: flash_offset.trim() }),
		...(position.trim() && {
			position: /^\d+$/.test(position.trim()) ? Number(position) : position,
		}),
		enabled: enabled === 'on',
	};
}
