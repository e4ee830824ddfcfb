// What is done with a board: requested once, then waited for.
import { ActionFailedError, InputError } from '../../errors.ts';
import type {
	ActionOptions,
	ActionProgress,
	BoardAction,
	Firmware,
	FlashOptions,
	LeaseAction,
} from '../../leases.ts';
import { createListing } from '../../listing.ts';
import type { RequestOptions } from '../settings.ts';
import { report, uniqueKey } from './helpers.ts';
import { readAction, readFile } from './records.ts';
import type { LeaseSession } from './session.ts';

const waitSeconds = 20;
const waitTimeout = 35_000;
const uploadTimeout = 120_000;

interface WantedAction {
	action: BoardAction;
	file_id?: string;
	flash_offset?: string | undefined;
}

/** Carries out one action; resolves when the board has done it. */
export async function carryOut(
	session: LeaseSession,
	action: BoardAction,
	options: ActionOptions = {},
) {
	return await session.during((signal) => perform(session, { action }, signal), options);
}

/** Uploads the firmware, then carries out the flashing. */
export async function flash(
	session: LeaseSession,
	firmware: Firmware,
	{ flashOffset, onProgress, ...options }: FlashOptions = {},
) {
	const bytes = await bytesOf(firmware);
	const total = bytes.byteLength;
	const tell = (step: ActionProgress['step'], bytes: number) =>
		report(onProgress, { step, bytes, total });
	return await session.during(async (signal) => {
		tell('uploading', 0);
		const { id } = await upload(session, bytes, signal);
		tell('waiting', total);
		const wanted = { action: 'flash', file_id: id, flash_offset: flashOffset } as const;
		return await perform(session, wanted, signal);
	}, options);
}

/** The actions of the lease, oldest first. */
export async function listActions(session: LeaseSession, options?: RequestOptions) {
	const path = `${session.path}/actions`;
	const { request } = session.connection;
	return await createListing<LeaseAction>(request, { path, query: {}, read: readAction, options });
}

async function perform(
	session: LeaseSession,
	wanted: WantedAction,
	signal: AbortSignal,
): Promise<LeaseAction> {
	let action: LeaseAction = await request(session, wanted, signal);
	while (action.status !== 'done' && action.status !== 'failed') {
		action = await session.insist(() => changed(session, action.id, signal), signal);
	}
	if (action.status === 'done') return action;
	await session.refresh({ signal }); // an action also fails when its lease ends
	throw new ActionFailedError(action);
}

async function request(session: LeaseSession, wanted: WantedAction, signal: AbortSignal) {
	return await session.connection.request({
		method: 'POST',
		path: `${session.path}/actions`,
		json: wanted,
		options: { signal, idempotencyKey: uniqueKey() },
		read: readAction,
	});
}

async function changed(session: LeaseSession, id: string, signal: AbortSignal) {
	return await session.connection.request({
		method: 'GET',
		path: `${session.path}/actions/${encodeURIComponent(id)}`,
		query: { wait: waitSeconds },
		options: { signal, timeout: waitTimeout },
		read: readAction,
	});
}

async function upload(session: LeaseSession, bytes: Uint8Array<ArrayBuffer>, signal: AbortSignal) {
	return await session.connection.request({
		method: 'POST',
		path: `${session.path}/files`,
		bytes,
		options: { signal, timeout: uploadTimeout, idempotencyKey: uniqueKey() },
		read: readFile,
	});
}

async function bytesOf(firmware: Firmware): Promise<Uint8Array<ArrayBuffer>> {
	if (firmware instanceof Blob) return new Uint8Array(await firmware.arrayBuffer());
	if (firmware instanceof ArrayBuffer) return new Uint8Array(firmware);
	if (ArrayBuffer.isView(firmware)) return new Uint8Array(firmware); // a copy nobody can change
	throw new InputError(
		[{ path: 'firmware', message: 'must be a Uint8Array, an ArrayBuffer or a Blob' }],
		'Read the file first: await readFile(path).',
	);
}
