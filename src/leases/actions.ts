// Actions on the board of a lease: requested once, then waited for.
import { InputError } from '../errors/errors.ts';
import { notify } from '../http/attempts.ts';
import { call } from '../http/call.ts';
import { startWait } from '../http/outages.ts';
import { fieldRule, isObject, recordReader } from '../records/records.ts';
import type { RequestOptions } from '../settings/settings.ts';
import { ActionFailedError } from './errors.ts';
import { once, type Shared } from './helpers.ts';
import { readPinInput } from './input.ts';
import { readAction, readFile } from './records.ts';
import type { TrackedLease } from './tracked-lease.ts';
import type { ActionProgress, BoardAction, Firmware, FlashOptions, LeaseAction } from './types.ts';

/** Short, so that an outage is noticed within five seconds. */
const waitSeconds = 2;
const waitTimeout = 15_000;
const uploadTimeout = 40_000;

/** In bytes a second. */
const minUploadSpeed = 16 * 1024;

export interface WantedAction {
	action: BoardAction;
	name?: string | undefined;
	file_id?: string;
	flash_offset?: string | undefined;
}

export async function carryOut(
	lease: TrackedLease,
	wanted: WantedAction,
	{ signal, headers }: Shared,
	onChange: (action: LeaseAction) => void = () => {},
) {
	const shared = { signal, headers };
	let action: LeaseAction = await call(lease.send, 'POST /v1/leases/{id}/actions', {
		ids: lease.ids,
		json: { ...wanted },
		options: once(shared),
		read: readAction,
	});
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

export async function flash(
	lease: TrackedLease,
	firmware: Firmware,
	{ raw, flashOffset, name, onProgress, signal, headers }: FlashOptions & Shared,
) {
	const shared = { signal, headers };
	const bytes = await bytesOf(firmware);
	await requireFormat(bytes, { raw, flashOffset });
	const total = bytes.byteLength;
	let reported: ActionProgress = { step: 'uploading', bytes: 0, total, percent: null };
	notify(onProgress, reported);
	const { id } = await upload(lease, bytes, { raw, ...shared });
	const wanted: WantedAction = { action: 'flash', name, file_id: id, flash_offset: flashOffset };
	return await carryOut(lease, wanted, shared, ({ status, progress }) => {
		const step = status === 'queued' ? 'queued' : 'flashing';
		const percent = progress ?? null;
		if (reported.step === step && reported.percent === percent) return;
		reported = { step, bytes: total, total, percent };
		notify(onProgress, reported);
	});
}

// Not the schema of the contract, because a record of zod is a lot of code for one field.
const voltages = fieldRule(
	(value): value is Record<string, number> =>
		isObject(value) && Object.values(value).every((volts) => typeof volts === 'number'),
	'must have a number for each pin',
);
const readPins = recordReader({ driven: voltages }, { complete: true });

/** Returns the voltages of all pins that are driven. */
export async function drivePin(lease: TrackedLease, input: object, options?: RequestOptions) {
	const { driven } = await call(lease.send, 'POST /v1/leases/{id}/pins', {
		ids: lease.ids,
		json: readPinInput(input),
		options: once(options),
		read: readPins,
	});
	return driven;
}

async function readChanged(lease: TrackedLease, id: string, shared: Shared) {
	return await call(lease.send, 'GET /v1/leases/{id}/actions/{action_id}', {
		ids: { ...lease.ids, action_id: id },
		query: { wait: waitSeconds },
		options: { ...shared, timeout: waitTimeout },
		read: readAction,
	});
}

async function upload(
	lease: TrackedLease,
	body: Uint8Array<ArrayBuffer>,
	{ raw, ...shared }: Pick<FlashOptions, 'raw'> & Shared,
) {
	const attemptTimeout = uploadTimeout + Math.ceil((body.length / minUploadSpeed) * 1000);
	const timeouts = { attemptTimeout, timeout: 3 * attemptTimeout };
	return await call(lease.send, 'POST /v1/leases/{id}/files', {
		ids: lease.ids,
		query: { raw: raw || undefined },
		body,
		options: once({ ...shared, ...timeouts }),
		read: readFile,
	});
}

function hasEnded({ status }: LeaseAction) {
	return status === 'done' || status === 'failed';
}

/** Before the upload, after which the service would reject the file. */
async function requireFormat(
	bytes: Uint8Array,
	options: Pick<FlashOptions, 'raw' | 'flashOffset'>,
) {
	// Loaded with the first flash.
	const { checkFormat } = await import('../contract/firmware/format.ts');
	try {
		checkFormat(bytes, options);
	} catch (error) {
		const { message } = error as Error; // a FirmwareError
		throw new InputError([{ path: 'firmware', message }]);
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
