// A form with a file: its fields, and what is said about the file.
import { ApiError } from 'board-access-core';
import { readConfirmed } from 'board-access-http/read';
import type { MemberVisit } from '../pages.tsx';

const maxUpload = 17 * 1024 * 1024;
/** The form has four fields. */
const maxParts = 8;
const maxHeaders = 4 * 1024;

/** As the API accepts names. */
export function fileName({ name }: File) {
	const characters = [...name.replace(/\p{Cc}/gu, '').trim()];
	return characters.slice(0, 200).join('') || undefined;
}

/** An error about a file, with its name. */
export function naming({ name }: File, error: unknown) {
	if (!(error instanceof ApiError)) return error;
	const message = error.message.replace('pass raw=true', 'choose “Raw binary”');
	return new ApiError(error.code, `${name}: ${message}`, error.details);
}

/** The header as browsers and tools send it, so that its boundary is the one that the parser finds. */
const multipart = /^multipart\/form-data; ?boundary=("?)([\w'+.-]{1,70})\1$/i;

export async function readFileForm({ c }: MemberVisit) {
	const type = c.req.header('content-type') ?? '';
	const otherForm = new ApiError('unsupported_media_type', 'This page accepts a form with a file.');
	const boundary = multipart.exec(type)?.[2];
	if (!boundary) throw otherForm;
	const body = await readConfirmed(c, maxUpload);
	if (!isSmallForm(body, `--${boundary}`)) throw otherForm;
	return new Response(body, { headers: { 'content-type': type } }).formData().catch(() => {
		throw otherForm;
	});
}

/** Whether a form has few parts with short headers. Others would take seconds to parse. */
function isSmallForm(body: Buffer, mark: string) {
	let at = body.indexOf(mark);
	for (let parts = 0; parts <= maxParts && at >= 0; parts += 1) {
		const start = at + mark.length;
		const headers = body.toString('latin1', start, start + maxHeaders);
		if (headers.startsWith('--')) return true;
		if (!headers.includes('\r\n\r\n')) return false;
		at = body.indexOf(mark, start);
	}
	return false;
}
