// Base images for administrators: what is flashed or erased, in which order, for each board type.
import { baseImage } from 'board-access-contract';
import { moveBaseImage } from '../../base-images/store.ts';
import { ApiError } from '../../errors.ts';
import type { ServiceApp } from '../../http/environment.ts';
import { readApi, requestApi } from '../api.ts';
import { formKey } from '../elements/form.tsx';
import { ask } from '../elements/question.tsx';
import { Name } from '../elements/text.tsx';
import { readForm, readLine } from '../form.ts';
import { goTo, type MemberVisit, type Pages, submitForm } from '../pages.tsx';
import { encodedPath } from '../paths.ts';
import {
	type BaseImageValues,
	baseImageFields,
	listImages,
	showImageForm,
} from './base-image-pages.tsx';

const path = '/admin/base-images';

export function baseImagePages(app: ServiceApp, { forAdmins }: Pages) {
	app.get(path, forAdmins(listImages));
	app.post(path, forAdmins(create));
	app.get(
		`${path}/new`,
		forAdmins((visit) => showImageForm(visit, blank(readLine(visit.c, 'board_type')))),
	);
	app.get(`${path}/:id`, forAdmins(edit));
	app.post(`${path}/:id`, forAdmins(change));
	app.post(`${path}/:id/change`, forAdmins(changeInList));
	app.get(`${path}/:id/delete`, forAdmins(askToDelete));
	app.post(`${path}/:id/delete`, forAdmins(remove));
}

async function create(visit: MemberVisit) {
	const { token, ...values } = await readForm(visit.c, [...baseImageFields, 'token']);
	return submitForm({
		change: async () => {
			await requestApi(visit, 'POST', path, { json: asInput(values), key: formKey(token) });
			return goTo(visit.c, path, 'image-created');
		},
		again: (error) => showImageForm(visit, values, error),
		sentences,
	});
}

function existing(visit: MemberVisit) {
	return readApi(visit, encodedPath(visit.c, path), baseImage);
}

async function edit(visit: MemberVisit) {
	const { position, enabled, ...texts } = await existing(visit);
	return showImageForm(visit, {
		...texts,
		position: String(position),
		enabled: enabled ? 'on' : '',
	});
}

async function change(visit: MemberVisit) {
	const values = await readForm(visit.c, baseImageFields);
	await existing(visit);
	return submitForm({
		change: async () => {
			await requestApi(visit, 'PATCH', encodedPath(visit.c, path), { json: asInput(values) });
			return goTo(visit.c, path, 'image-changed');
		},
		again: (error) => showImageForm(visit, values, error),
		sentences,
	});
}

async function changeInList(visit: MemberVisit) {
	const { id } = await existing(visit);
	const { change } = await readForm(visit.c, ['change']);
	if (change === 'up' || change === 'down') {
		await moveBaseImage(visit.parts.database.query, id, change === 'up' ? -1 : 1);
	} else if (change === 'enable' || change === 'disable') {
		const json = { enabled: change === 'enable' };
		await requestApi(visit, 'PATCH', encodedPath(visit.c, path), { json });
	} else {
		throw new ApiError('not_found', 'This action does not exist.');
	}
	return goTo(visit.c, path, 'image-changed');
}

async function askToDelete(visit: MemberVisit) {
	const { name, board_type, action } = await existing(visit);
	return ask(visit, 'Delete a base image', {
		title: 'Delete this base image?',
		lead: 'It is no longer part of the preparation of its boards. You cannot undo this.',
		facts: [
			['Name', <Name>{name}</Name>],
			['Board type', <code dir="auto">{board_type}</code>],
			['Action', action],
		],
		cancel: path,
		submit: 'Delete base image',
	});
}

async function remove(visit: MemberVisit) {
	await requestApi(visit, 'DELETE', encodedPath(visit.c, path)).catch((error) => {
		// The form was sent before.
		if (!(error instanceof ApiError && error.code === 'base_image_not_found')) throw error;
	});
	return goTo(visit.c, path, 'image-deleted');
}

function blank(board_type: string): BaseImageValues {
	const texts = { name: '', description: '', url: '', position: '' };
	return { ...texts, board_type, action: 'flash', flash_offset: '0x0', enabled: 'on' };
}

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
	const place = position.trim();
	return {
		...texts,
		...flash,
		...(place && { position: /^\d+$/.test(place) ? Number(place) : position }),
		enabled: enabled === 'on',
	};
}
