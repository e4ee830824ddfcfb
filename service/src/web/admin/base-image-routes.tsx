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
			main: <BaseImageList images={await listBaseImages(query)} baseUrl={baseUrl} />,
		})),
	);

	const form = async (values: BaseImageValues, error?: ApiError) => ({
		title: 'Add a base image',
		main: (
			<BaseImageForm
				values={values}
				error={error}
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
			if (done instanceof ApiError) {
				const error = inPlainWords(done, sentences);
				return refused(await form(values, error), error);
			}
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

const sentences = {
	action: 'Choose flash or erase.',
	board_type: 'Enter a board type of at most 100 characters.',
	name: 'Enter a name of at most 200 characters.',
	description: 'Enter at most 2,000 characters.',
	url: 'Enter the http or https address of the image, without spaces or a user name.',
	flash_offset: 'Enter the offset as 0x10000 or 65536; the highest is 0xffffffff.',
	position: 'Enter a whole number from 0 to 2,147,483,647, or leave it empty.',
};

/** The form as input of the API. A position that is not a number is kept, so that it is refused. */
function asInput({ position, enabled, url, flash_offset, ...texts }: BaseImageValues) {
	// The form hides these two for an erase, whatever they still hold.
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
