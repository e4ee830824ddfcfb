// What is done with a board: requested once, then waited for.
import { InputError } from '../errors/errors.ts';
import { notify } from '../http/attempts.ts';
import { startWait } from '../http/outages.ts';
import { recordPath } from '../http/path.ts';
import { jsonBody } from '../records/json.ts';
import { fieldRule, isObject, recordReader } from '../records/records.ts';
import type { RequestOptions } from '../settings/settings.ts';
import { ActionFailedError } from './errors.ts';
import { type Shared, uniqueKey } from './helpers.ts';
import { readPinInput } from './input.ts';
import { readAction, readFile } from './records.ts';
import type { TrackedLease } from './tracked-lease.ts';
import type { ActionProgress, BoardAction, Firmware, FlashOptions, LeaseAction } from './types.ts';

/** Short, so that those who watch the requests learn of an outage within five seconds. */
const waitSeconds = 2;
const waitTimeout = 15_000;
const uploadTimeout = 40_000;

/** A slower upload is not waited for, in bytes a second. */
const slowestUpload = 16 * 1024;

export interface WantedAction {
	action: BoardAction;
	file_id?: string;
	flash_offset?: string | undefined;
}

/** Carries out one action; resolves when the board has done it. */
export async function carryOut(
	lease: TrackedLease,
	wanted: WantedAction,
	{ signal, headers }: Shared,
	onChange: (action: LeaseAction) => void = () => {},
) {
	const shared = { signal, headers };
	let action: LeaseAction = await requestAction(lease, wanted, shared);
	lease.ownActions.add(action.id);
	onChange(action);
	while (!hasEnded(action)) {
		const { id } = action;
		const pauseIfEarly = startWait(signal);
		action = await lease.insist(() => readChanged(lease, id, shared), signal);
		onChange(action);
		if (!hasEnded(action)) await pauseIfEarly();
	}
	if (action.status === 'done') return action;
	await lease.refresh(shared).catch(() => {}); // an action also fails when its lease ends
	throw new ActionFailedError(action);
}

/** Uploads the firmware, then carries out the flashing. */
export async function flash(
	lease: TrackedLease,
	firmware: Firmware,
	{ raw, flashOffset, onProgress, signal, headers }: FlashOptions & Shared,
) {
	const shared = { signal, headers };
	const bytes = await bytesOf(firmware);
	await requireFormat(bytes, { raw, flashOffset });
	const total = bytes.byteLength;
	let reported: ActionProgress = { step: 'uploading', bytes: 0, total, percent: null };
	notify(onProgress, reported);
	const { id } = await upload(lease, bytes, { raw, ...shared });
	const wanted: WantedAction = { action: 'flash', file_id: id, flash_offset: flashOffset };
	return await carryOut(lease, wanted, shared, ({ status, progress }) => {
		const step = status === 'queued' ? 'queued' : 'flashing';
		const percent = progress ?? null;
		if (reported.step === step && reported.percent === percent) return;
		reported = { step, bytes: total, total, percent };
		notify(onProgress, reported);
	});
}

// Not by the schema of the contract: a record of zod is a lot of code for one field.
const voltages = fieldRule(
	(value): value is Record<string, number> =>
		isObject(value) && Object.values(value).every((volts) => typeof volts === 'number'),
	'must have a number for each pin',
);
const readPins = recordReader({ driven: voltages }, { complete: true });

/** Drives a pin of the board from outside, and returns the voltages of all that are driven. */
export async function drivePin(
	{ transport, path }: TrackedLease,
	input: { pin: string; volts: number | null },
	options?: RequestOptions,
) {
	const { driven } = await transport.request({
		method: 'POST',
		path: `${path}/pins`,
		body: jsonBody(readPinInput(input)),
		isPatient: true,
		options: { idempotencyKey: uniqueKey(), ...options },
		read: (body) => readPins(body),
	});
	return driven;
}

async function requestAction(
	{ transport, path }: TrackedLease,
	wanted: WantedAction,
	shared: Shared,
) {
	return await transport.request({
		method: 'POST',
		path: `${path}/actions`,
		body: jsonBody(wanted),
		isPatient: true,
		options: { ...shared, idempotencyKey: uniqueKey() },
		read: (body) => readAction(body),
	});
}

async function readChanged({ transport, path }: TrackedLease, id: string, shared: Shared) {
	return await transport.request({
		method: 'GET',
		path: recordPath(`${path}/actions`, id, 'action'),
		query: { wait: waitSeconds },
		options: { ...shared, timeout: waitTimeout },
		read: (body) => readAction(body),
	});
}

async function upload(
	{ transport, path }: TrackedLease,
	body: Uint8Array<ArrayBuffer>,
	{ raw, signal, headers }: Pick<FlashOptions, 'raw'> & Shared,
) {
	const attemptTimeout = uploadTimeout + Math.ceil((body.length / slowestUpload) * 1000);
	return await transport.request({
		method: 'POST',
		path: `${path}/files`,
		query: { raw: raw || undefined },
		body,
		isPatient: true,
		options: {
			signal,
			headers,
			attemptTimeout,
			timeout: 3 * attemptTimeout,
			idempotencyKey: uniqueKey(),
		},
		read: (body) => readFile(body),
	});
}

function hasEnded({ status }: LeaseAction) {
	return status === 'done' || status === 'failed';
}

/** Before the upload: the service would find it out only then. */
async function requireFormat(
	bytes: Uint8Array,
	options: Pick<FlashOptions, 'raw' | 'flashOffset'>,
) {
	// With the first flash, so that leases without one do not read this code.
	const { checkFormat } = await import('../contract/firmware/format.ts');
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
