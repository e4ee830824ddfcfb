// What is done with a board: requested once, then waited for.
import { checkFormat } from '../contract/firmware/format.ts';
import { InputError } from '../errors/errors.ts';
import { notify } from '../http/attempts.ts';
import { startWait } from '../http/outages.ts';
import { jsonBody } from '../records/json.ts';
import { ActionFailedError } from './errors.ts';
import { uniqueKey } from './helpers.ts';
import { readAction, readFile } from './records.ts';
import type { TrackedLease } from './tracked-lease.ts';
import type { ActionProgress, BoardAction, Firmware, FlashOptions, LeaseAction } from './types.ts';

/** Short, so that those who watch the requests learn of an outage within five seconds. */
const waitSeconds = 2;
const waitTimeout = 15_000;
const uploadTimeout = 40_000;

/** A slower upload is not waited for, in bytes a second. */
const slowestUpload = 16 * 1024;

interface WantedAction {
	action: BoardAction;
	file_id?: string;
	flash_offset?: string | undefined;
}

/** Carries out one action; resolves when the board has done it. */
export async function carryOut(lease: TrackedLease, wanted: WantedAction, signal: AbortSignal) {
	let action: LeaseAction = await requestAction(lease, wanted, signal);
	while (!hasEnded(action)) {
		const { id } = action;
		const pauseIfEarly = startWait(signal);
		action = await lease.insist(() => readChanged(lease, id, signal), signal);
		if (!hasEnded(action)) await pauseIfEarly();
	}
	if (action.status === 'done') return action;
	await lease.refresh({ signal }).catch(() => {}); // an action also fails when its lease ends
	throw new ActionFailedError(action);
}

/** Uploads the firmware, then carries out the flashing. */
export async function flash(
	lease: TrackedLease,
	firmware: Firmware,
	{ raw, flashOffset, onProgress, signal }: FlashOptions & { signal: AbortSignal },
) {
	const bytes = await bytesOf(firmware);
	requireFormat(bytes, { raw, flashOffset });
	const total = bytes.byteLength;
	const reportStep = (step: ActionProgress['step'], sent: number) =>
		notify(onProgress, { step, bytes: sent, total });
	reportStep('uploading', 0);
	const { id } = await upload(lease, bytes, { raw, signal });
	reportStep('waiting', total);
	return await carryOut(lease, { action: 'flash', file_id: id, flash_offset: flashOffset }, signal);
}

async function requestAction(
	{ transport, path }: TrackedLease,
	wanted: WantedAction,
	signal: AbortSignal,
) {
	return await transport.request({
		method: 'POST',
		path: `${path}/actions`,
		body: jsonBody(wanted),
		isPatient: true,
		options: { signal, idempotencyKey: uniqueKey() },
		read: (body) => readAction(body),
	});
}

async function readChanged({ transport, path }: TrackedLease, id: string, signal: AbortSignal) {
	return await transport.request({
		method: 'GET',
		path: `${path}/actions/${encodeURIComponent(id)}`,
		query: { wait: waitSeconds },
		options: { signal, timeout: waitTimeout },
		read: (body) => readAction(body),
	});
}

async function upload(
	{ transport, path }: TrackedLease,
	body: Uint8Array<ArrayBuffer>,
	{ raw, signal }: { raw: boolean | undefined; signal: AbortSignal },
) {
	const attemptTimeout = uploadTimeout + Math.ceil((body.length / slowestUpload) * 1000);
	return await transport.request({
		method: 'POST',
		path: `${path}/files`,
		query: { raw: raw || undefined },
		body,
		isPatient: true,
		options: { signal, attemptTimeout, timeout: 3 * attemptTimeout, idempotencyKey: uniqueKey() },
		read: (body) => readFile(body),
	});
}

function hasEnded({ status }: LeaseAction) {
	return status === 'done' || status === 'failed';
}

/** Before the upload: the service would find it out only then. */
function requireFormat(bytes: Uint8Array, options: Pick<FlashOptions, 'raw' | 'flashOffset'>) {
	try {
		checkFormat(bytes, options);
	} catch (error) {
		// Only a FirmwareError is thrown, and it is an Error.
		throw new InputError([{ path: 'firmware', message: (error as Error).message }]);
	}
}

async function bytesOf(firmware: Firmware): Promise<Uint8Array<ArrayBuffer>> {
	if (firmware instanceof Blob) return new Uint8Array(await firmware.arrayBuffer());
	if (firmware instanceof ArrayBuffer) return new Uint8Array(firmware);
	if (firmware instanceof Uint8Array) return new Uint8Array(firmware); // a copy of our own
	throw new InputError(
		[{ path: 'firmware', message: 'must be a Uint8Array, an ArrayBuffer or a Blob' }],
		'Read the file first: await readFile(path).',
	);
}
