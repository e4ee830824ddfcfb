// What is done from the page of a lease. Each form returns to the page, which shows an error of the API.

import { randomUUID } from 'node:crypto';
import { firmwareFile, lease } from 'board-access-contract';
import {
	ApiError,
	chooseReadyMail,
	findDrivenLease,
	lastFlash,
	readLeaseView,
	renewLease,
	startMinutes,
} from 'board-access-core';
import { claimOf } from 'board-access-http/idempotency';
import { bodyOf, requestApi } from '../api.ts';
import { formKey } from '../elements/form.tsx';
import { ask } from '../elements/question.tsx';
import type { NoticeName } from '../notices.tsx';
import { goTo, type MemberVisit, onSubmit } from '../pages.tsx';
import { encodedPath } from '../paths.ts';
import { show } from './show.tsx';
import { fileName, naming, readFileForm } from './upload.ts';
import { viewerOf } from './viewer.ts';

const form = {
	again: show,
	sentences: {
		flash_offset: 'Enter the offset as 0x10000 or 65536; the highest is 0xffffffff.',
		action: 'This board does not support that.',
	},
};

function backTo({ c }: MemberVisit, notice?: NoticeName, object?: string) {
	return goTo(c, encodedPath(c, '/leases'), notice, object);
}

/** Returns to the page, and says so if the form was sent before: it may be meant as another request. */
function backAfter(visit: MemberVisit, { headers }: Response, done?: NoticeName) {
	return backTo(visit, headers.has('idempotent-replayed') ? 'already-sent' : done);
}

export const release = onSubmit({
	...form,
	fields: ['confirmed'],
	change: async (visit, { confirmed }) => {
		if (!confirmed && (await isBusy(visit))) return askToRelease(visit);
		const response = await requestApi(visit, 'DELETE', encodedPath(visit.c, '/leases'));
		const { end_reason } = await bodyOf(response, lease);
		// The page says how the lease has ended; not that it had before.
		const ends = end_reason === 'released' || end_reason === 'cancelled';
		return backTo(visit, ends ? undefined : 'lease-had-ended');
	},
});

/** Whether an action of the holder is not finished. */
async function isBusy(visit: MemberVisit) {
	const { actions, lease } = await readLeaseView(
		visit.parts.database.query,
		await viewerOf(visit, 'hold'),
	);
	return lease.status === 'active' && actions.some(({ ended_at }) => ended_at === null);
}

function askToRelease(visit: MemberVisit) {
	return ask(visit, {
		title: 'Release the board now?',
		lead: 'An action is still running on it. It is stopped, and the lease ends.',
		cancel: encodedPath(visit.c, '/leases'),
		keep: 'Keep the board',
		submit: 'Release',
		values: { confirmed: 'true' },
	});
}

export async function askToErase(visit: MemberVisit) {
	await findDrivenLease(visit.parts.database.query, await viewerOf(visit, 'hold'));
	return ask(visit, {
		title: 'Erase the flash of the board?',
		lead: 'Its firmware and everything else in the flash are lost.',
		cancel: encodedPath(visit.c, '/leases'),
		submit: 'Erase',
		values: { token: randomUUID() },
	});
}

export const erase = onSubmit({
	...form,
	again: askToErase,
	fields: ['token'],
	change: (visit, { token }) => act(visit, { action: 'erase', token }),
});

export const chooseMail = onSubmit({
	...form,
	fields: ['wanted'],
	change: async (visit, { wanted }) => {
		await chooseReadyMail(
			visit.parts.database.query,
			await viewerOf(visit, 'hold'),
			wanted === 'true',
		);
		return backTo(visit);
	},
});

export const share = onSubmit({
	...form,
	fields: ['email', 'access'],
	change: async (visit, { email, access }) => {
		await requestApi(visit, 'PUT', sharesPath(visit), { json: { email, access } });
		return backTo(visit, 'lease-shared', email);
	},
});

export const unshare = onSubmit({
	...form,
	fields: ['email'],
	change: async (visit, { email }) => {
		await requestApi(visit, 'POST', `${sharesPath(visit)}/remove`, { json: { email } });
		return backTo(visit, 'lease-unshared', email);
	},
});

export async function leave(visit: MemberVisit) {
	await requestApi(visit, 'DELETE', `${sharesPath(visit)}/own`);
	return goTo(visit.c, '/leases', 'lease-left');
}

function sharesPath({ c }: MemberVisit) {
	return `${encodedPath(c, '/leases')}/shares`;
}

/** The pages alone have a grace, so they alone can end it early. */
export const start = onSubmit({
	...form,
	change: async (visit) => {
		await startMinutes(visit.parts, await viewerOf(visit, 'hold'));
		return backTo(visit, 'lease-started');
	},
});

/** The API counts minutes from now. The page adds the minutes that its button names, for the price that it names. */
export const renew = onSubmit({
	...form,
	fields: ['token'],
	change: async (visit, { token }) => {
		const { accountId, id, lease } = await viewerOf(visit, 'hold');
		const more = { minutes: 10, fromEnd: true };
		const claim = claimOf(visit.c, { accountId, input: more, key: formKey(token) });
		const renewal = { id, ...more };
		const { result, replayed } = await renewLease(visit.parts, { accountId }, renewal, claim);
		if (replayed) return backTo(visit, 'already-sent');
		const isLonger = result.expires_at !== lease.expires_at;
		return backTo(visit, isLonger ? 'lease-renewed' : 'lease-at-limit');
	},
});

export const useButton = onSubmit({ ...form, fields: ['action', 'token'], change: act });

async function act(visit: MemberVisit, { action, token }: { action: string; token: string }) {
	const path = `${encodedPath(visit.c, '/leases')}/actions`;
	// Each button of the form can be used once.
	const sent = { json: { action }, key: formKey(token && `${token} ${action}`) };
	return backAfter(visit, await requestApi(visit, 'POST', path, sent), 'action-started');
}

export const sendLine = onSubmit({
	...form,
	fields: ['line', 'token'],
	change: async (visit, { line, token }) => {
		const path = `${encodedPath(visit.c, '/leases')}/console`;
		const sent = { bytes: new TextEncoder().encode(`${line}\r`), key: formKey(token) };
		return backAfter(visit, await requestApi(visit, 'POST', path, sent));
	},
});

export const drivePin = onSubmit({
	...form,
	fields: ['pin', 'volts', 'token'],
	change: async (visit, { pin, volts, token }) => {
		const path = `${encodedPath(visit.c, '/leases')}/pins`;
		const json = { pin, volts: volts === '' ? null : Number(volts) };
		const sent = { json, key: formKey(token && `${token} ${pin} ${volts}`) };
		return backAfter(visit, await requestApi(visit, 'POST', path, sent), 'pin-driven');
	},
});

export const flashAgain = onSubmit({
	...form,
	fields: ['token'],
	change: async (visit, { token }) => {
		const { id } = await viewerOf(visit, 'hold');
		const last = await lastFlash(visit.parts.database.query, id);
		if (!last) throw new ApiError('invalid_request', 'Nothing was flashed in this lease yet.');
		const set = Object.entries(last).filter(([, value]) => value !== null);
		const json = { action: 'flash', ...Object.fromEntries(set) };
		const path = `${encodedPath(visit.c, '/leases')}/actions`;
		const response = await requestApi(visit, 'POST', path, { json, key: formKey(token) });
		return backAfter(visit, response, 'action-started');
	},
});

export const flash = onSubmit({
	...form,
	change: async (visit) => {
		const { database, limits } = visit.parts;
		const path = encodedPath(visit.c, '/leases');
		// First, because the whole file is held in memory.
		const { id } = await findDrivenLease(database.query, await viewerOf(visit, 'hold'));
		const fields = await limits.upload(id, () => readFileForm(visit));
		const firmware = fields.get('firmware');
		if (!(firmware instanceof File)) throw new ApiError('invalid_request', 'Choose a file.');
		const token = String(fields.get('token') ?? '');
		const bytes = new Uint8Array(await firmware.arrayBuffer());
		const upload = { bytes, key: formKey(token && `${token} file`) };
		const files = fields.get('raw') ? `${path}/files?raw=true` : `${path}/files`;
		const stored = await requestApi(visit, 'POST', files, upload).catch((error) => {
			throw naming(firmware, error);
		});
		const { id: file_id } = await bodyOf(stored, firmwareFile);
		const flash_offset = fields.get('flash_offset') || undefined;
		const name = fileName(firmware);
		const sent = { json: { action: 'flash', name, file_id, flash_offset }, key: formKey(token) };
		const response = await requestApi(visit, 'POST', `${path}/actions`, sent);
		return backAfter(visit, response, 'action-started');
	},
});
