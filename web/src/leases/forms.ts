// What is done from the page of a lease. Each form returns to the page, which shows what was wrong.

import {
	leaseActionInput,
	leaseShareInput,
	maxConsoleInput,
	pinInput,
} from 'board-access-contract';
import {
	ApiError,
	admitUpload,
	chooseReadyMail,
	drivePin as drivePinOf,
	findDrivenLease,
	lastFlash,
	leaveLease,
	readLeaseView,
	releaseLease,
	renewLease,
	requestAction,
	shareLease,
	startMinutes,
	typeInput,
	unshareLease,
	uploadFirmware,
	validate,
} from 'board-access-core';
import { confirmedAfter } from 'board-access-http/confirm';
import { readId, tooLarge } from 'board-access-http/read';
import { formKey } from '../elements/form.tsx';
import { ask } from '../elements/question.tsx';
import type { NoticeName } from '../notices.ts';
import { claimFor, goTo, type MemberVisit, onSubmit } from '../pages.tsx';
import { encodedPath } from '../paths.ts';
import { show } from './show.tsx';
import { fileName, naming, readFileForm } from './upload.ts';
import { type Viewer, viewerOf } from './viewer.ts';

const form = {
	again: show,
	sentences: {
		flash_offset: 'Enter the offset as 0x10000 or 65536; the highest is 0xffffffff.',
		action: 'This board does not support that.',
	},
};

function backTo({ c }: MemberVisit, notice?: NoticeName) {
	return goTo(c, encodedPath(c, '/leases'), notice);
}

/** Returns to the page, and says so if the form was sent before: it may be meant as another request. */
function backAfter(visit: MemberVisit, { replayed }: { replayed: boolean }, done?: NoticeName) {
	return backTo(visit, replayed ? 'already-sent' : done);
}

export const release = onSubmit({
	...form,
	fields: ['confirmed'],
	change: async (visit, { confirmed }) => {
		if (!confirmed && (await isBusy(visit))) return askToRelease(visit);
		const { end_reason } = await releaseLease(visit.services, visit.caller, readId(visit.c));
		// The page says how the lease has ended; not that it had before.
		const ends = end_reason === 'released' || end_reason === 'cancelled';
		return backTo(visit, ends ? undefined : 'lease-had-ended');
	},
});

/** Whether an action of the holder is not finished. */
async function isBusy(visit: MemberVisit) {
	const { actions, lease } = await readLeaseView(
		visit.services.database.query,
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
	await findDrivenLease(visit.services.database.query, await viewerOf(visit, 'hold'));
	return ask(visit, {
		title: 'Erase the flash of the board?',
		lead: 'Its firmware and everything else in the flash are lost.',
		cancel: encodedPath(visit.c, '/leases'),
		submit: 'Erase',
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
			visit.services.database.query,
			await viewerOf(visit, 'hold'),
			wanted === 'true',
		);
		return backTo(visit);
	},
});

export const share = onSubmit({
	...form,
	fields: ['email', 'access'],
	change: async (visit, sent) => {
		const { email, ...input } = validate(leaseShareInput, sent);
		await shareLease(visit.services, visit.caller, { id: readId(visit.c), email, ...input });
		return backTo(visit, 'lease-shared');
	},
});

export const unshare = onSubmit({
	...form,
	fields: ['email'],
	change: async (visit, { email }) => {
		await unshareLease(visit.services, visit.caller, { id: readId(visit.c), email });
		return backTo(visit, 'lease-unshared');
	},
});

export async function leave({ c, services, caller }: MemberVisit) {
	await leaveLease(services, caller, readId(c));
	return goTo(c, '/leases', 'lease-left');
}

/** The pages alone have a grace, so they alone can end it early. */
export const start = onSubmit({
	...form,
	change: async (visit) => {
		await startMinutes(visit.services, await viewerOf(visit, 'hold'));
		return backTo(visit, 'lease-started');
	},
});

/** The API counts minutes from now. The page adds the minutes that its button names, for the price that it names. */
export const renew = onSubmit({
	...form,
	fields: ['token'],
	change: async (visit, { token }) => {
		const { id, lease } = await viewerOf(visit, 'hold');
		const renewal = { id, minutes: 10, fromEnd: true };
		const claim = claimFor(visit, renewal, token);
		const { result, replayed } = await renewLease(visit.services, visit.caller, renewal, claim);
		if (replayed) return backTo(visit, 'already-sent');
		const isLonger = result.expires_at !== lease.expires_at;
		return backTo(visit, isLonger ? 'lease-renewed' : 'lease-at-limit');
	},
});

export const useButton = onSubmit({ ...form, fields: ['action', 'token'], change: act });

async function act(visit: MemberVisit, { action, token }: { action: string; token: string }) {
	// Each button of the form can be used once.
	return requestAs(visit, { action }, token && `${token} ${action}`);
}

async function requestAs(visit: MemberVisit, action: object, token: string) {
	const input = validate(leaseActionInput, action);
	const wanted = { leaseId: readId(visit.c), input };
	const claim = claimFor(visit, input, token);
	const requested = await requestAction(visit.services, visit.caller, wanted, claim);
	return backAfter(visit, requested, 'action-started');
}

export const sendLine = onSubmit({
	...form,
	fields: ['line', 'token'],
	change: async (visit, { line, token }) => {
		const { c, services, caller } = visit;
		await services.limits.consoleInput(caller.accountId);
		const data = Buffer.from(`${line}\r`);
		if (data.length > maxConsoleInput) throw tooLarge(maxConsoleInput);
		const typed = { leaseId: readId(c), data, offset: undefined, piece: undefined };
		return backAfter(visit, await typeInput(services, caller, typed, claimFor(visit, line, token)));
	},
});

export const drivePin = onSubmit({
	...form,
	fields: ['pin', 'volts', 'token'],
	change: async (visit, { pin, volts, token }) => {
		const { c, services, caller } = visit;
		await services.limits.consoleInput(caller.accountId);
		const input = validate(pinInput, { pin, volts: volts === '' ? null : Number(volts) });
		const claim = claimFor(visit, input, token && `${token} ${pin} ${volts}`);
		const driven = await drivePinOf(services, caller, { leaseId: readId(c), input }, claim);
		return backAfter(visit, driven, 'pin-driven');
	},
});

export const flashAgain = onSubmit({
	...form,
	fields: ['token'],
	change: async (visit, { token }) => {
		const { id } = await viewerOf(visit, 'hold');
		const last = await lastFlash(visit.services.database.query, id);
		if (!last) throw new ApiError('invalid_request', 'Nothing was flashed in this lease yet.');
		const set = Object.entries(last).filter(([, value]) => value !== null);
		return requestAs(visit, { action: 'flash', ...Object.fromEntries(set) }, token);
	},
});

export const flash = onSubmit({
	...form,
	change: async (visit) => {
		const { c, services } = visit;
		const owned = await viewerOf(visit, 'hold');
		// First, because the whole file is held in memory.
		await findDrivenLease(services.database.query, owned);
		return services.limits.upload(owned.id, async () => {
			const fields = await readFileForm(visit);
			const firmware = fields.get('firmware');
			if (!(firmware instanceof File)) throw new ApiError('invalid_request', 'Choose a file.');
			const token = String(fields.get('token') ?? '');
			const raw = Boolean(fields.get('raw'));
			const data = Buffer.from(await firmware.arrayBuffer());
			const stored = await confirmedAfter(c, () =>
				upload(visit, owned, { data, raw, token: token && `${token} file` }),
			).catch((error) => {
				throw naming(firmware, error);
			});
			const flash_offset = fields.get('flash_offset') || undefined;
			const name = fileName(firmware);
			const action = { action: 'flash', name, file_id: stored.result.id, flash_offset };
			return requestAs(visit, action, token);
		});
	},
});

interface Upload {
	data: Buffer;
	raw: boolean;
	token: string;
}

async function upload(visit: MemberVisit, owned: Viewer, { data, raw, token }: Upload) {
	const { services } = visit;
	return uploadFirmware(services, owned, {
		data,
		raw,
		stored: await admitUpload(services, owned, formKey(token)),
		claimFor: (sha256) => claimFor(visit, { raw, sha256 }, token),
		inTurn: (read) => services.limits.readFirmware(owned.accountId, read),
	});
}
