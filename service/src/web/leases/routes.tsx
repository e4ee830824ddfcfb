// Leases: starting one, watching and using it, ending it, and the list of all.

import { consoleQuery, firmwareFile, lease, leaseAction, pageOf } from 'board-access-contract';
import * as z from 'zod/mini';
import { boardNames } from '../../boards/store.ts';
import { timeIn } from '../../database/clock.ts';
import { ApiError } from '../../errors.ts';
import { readConfirmed, readQuery } from '../../http/read.ts';
import { respondStream } from '../../http/stream.ts';
import { chunksUntil, startOfTail } from '../../leases/console/reader.ts';
import { drivenBoard, findDrivenLease } from '../../leases/requirements.ts';
import { findLease } from '../../leases/store.ts';
import { bodyOf, readApi, requestApi } from '../api.ts';
import { assetPath } from '../assets.ts';
import { Back, ButtonLink, formKey } from '../elements/form.tsx';
import { Older } from '../elements/list.tsx';
import { PageHead, StrongName } from '../elements/text.tsx';
import type { NoticeName } from '../notices.ts';
import { goTo, type MemberVisit, onSubmit, type Pages } from '../pages.tsx';
import { encodedPath, withQuery } from '../paths.ts';
import { LeaseList, leaseColumns } from './lease-list.tsx';
import { LeasePage, leaseParts, Steps } from './lease-page.tsx';
import { EndReason, type Lease } from './status.tsx';
import { type LeaseView, leaseEvents, readView, shownActions } from './stream.ts';

const pageSize = '50';
const maxUpload = 17 * 1024 * 1024;
/** The form has four fields. */
const mostParts = 8;
const mostHeaders = 4 * 1024;

export function leasePages({ members }: Pages) {
	members.get('/leases', list);
	members.get('/leases/:id', show);
	members.get('/leases/:id/events', follow);
	members.get('/leases/:id/actions', listActions);
	members.get('/leases/:id/console.txt', downloadConsole);
	members.post('/leases/:id/release', release);
	members.post('/leases/:id/renew', renew);
	members.post('/leases/:id/actions', useButton);
	members.post('/leases/:id/console', sendLine);
	members.post('/leases/:id/flash', flash);
}

async function list(visit: MemberVisit) {
	const cursor = visit.c.req.query('cursor');
	const page = await readApi(
		visit,
		withQuery('/leases', { limit: pageSize, cursor }),
		pageOf(lease),
	);
	const boardIds = page.data.flatMap(({ board_id }) => board_id ?? []);
	const names = await boardNames(visit.parts.database.query, boardIds);
	const boardOf = ({ id, board_id, board_type }: Lease) => (
		<a class="row-link" href={`/leases/${id}`}>
			<StrongName text={names.get(board_id ?? '') ?? board_id ?? board_type} />
		</a>
	);
	const columns = [
		{ label: 'Board', cell: boardOf, class: 'main-cell' },
		...leaseColumns,
		{ label: 'End', cell: EndReason },
	];
	const main = (
		<LeaseList
			title="Leases"
			lead="The boards that you are using, and those that you used before. Consoles are kept for 24 hours."
			path="/leases"
			leases={page.data}
			columns={columns}
			next={page.next_cursor}
			at={timeIn(visit.parts.database.query)}
		>
			<p>
				Choose a board and <strong>Use this board</strong>: it is then yours.
			</p>
			<p class="actions">
				<ButtonLink href="/boards?status=available" text="Choose a board" look="primary" />
			</p>
		</LeaseList>
	);
	return { title: 'Leases', main };
}

async function show(visit: MemberVisit) {
	const { query } = visit.parts.database;
	const view = await readView(query, ownedBy(visit));
	const { id, board_type, status } = view.lease;
	const driven = await drivenBoard(query, id);
	const shown = await consoleOf(visit, view, driven !== undefined);
	const supported = driven?.capabilities?.actions;
	const props = { ...view, ...shown, supported, at: timeIn(query) };
	const head = (
		<>
			<link rel="stylesheet" href={assetPath('xterm.css')} />
			<script type="module" src={assetPath('lease.js')} />
			{status !== 'ended' && (
				<noscript>
					<meta http-equiv="refresh" content="5" />
				</noscript>
			)}
		</>
	);
	return { title: `Lease of ${board_type}`, main: <LeasePage {...props} />, head };
}

/** The last output; nothing if there is none and nothing drives the board. */
async function consoleOf(
	{ c, parts }: MemberVisit,
	{ lease, consoleEnd }: LeaseView,
	driven: boolean,
) {
	if (lease.board_id === null) return {};
	// The script of the page has the output already.
	const end = c.req.header('prefer') === 'return=minimal' ? 0 : consoleEnd;
	const range = { leaseId: lease.id, end };
	const from = await startOfTail(parts.database, range);
	const bytes: Buffer[] = [];
	for await (const data of consoleBytes(parts.database, { ...range, from })) bytes.push(data);
	const text = Buffer.concat(bytes).toString();
	return driven || text ? { console: text, isCut: from > 0 } : {};
}

/** The actions of a lease that has more of them than its page shows. */
async function listActions(visit: MemberVisit) {
	const path = encodedPath(visit.c, '/leases');
	const query = { limit: String(shownActions), cursor: visit.c.req.query('cursor') };
	const address = withQuery(`${path}/actions`, query);
	const { data, next_cursor } = await readApi(visit, address, pageOf(leaseAction));
	const main = (
		<>
			<Back href={path} text="Lease" />
			<PageHead title="Actions" lead="In order, including those of the preparation." />
			<Steps actions={data} leaseId={visit.c.req.param('id') ?? ''} />
			<Older
				href={next_cursor && withQuery(`${path}/actions`, { cursor: next_cursor })}
				text="Later"
			/>
		</>
	);
	return { title: 'Actions', main };
}

async function* consoleBytes(...range: Parameters<typeof chunksUntil>) {
	for await (const chunk of chunksUntil(...range)) if (chunk.kind === 'bytes') yield chunk.data;
}

/** The console that the page has. */
const eventsQuery = z.strictObject({
	fence: z.optional(z.string().check(z.regex(/^\d{1,12}$/))),
	from: z.optional(z.string().check(z.regex(/^\d{1,12}$/))),
});

async function follow(visit: MemberVisit) {
	const { c, parts } = visit;
	const { fence, from = '0' } = readQuery(c, eventsQuery);
	const owned = ownedBy(visit);
	const page = { fence: fence === undefined ? null : Number(fence), from: Number(from) };
	const follower = { ...owned, ...page, render: leaseParts };
	return parts.limits.consoleStream(visit.account.id, async (stream) => {
		await findLease(parts.database.query, owned);
		return respondStream(c, {
			...stream,
			contentType: 'text/event-stream',
			stopping: parts.stopping,
			pieces: (signal) => leaseEvents(parts, follower, signal),
		});
	});
}

async function downloadConsole(visit: MemberVisit) {
	const { c, parts } = visit;
	const { from = '0' } = readQuery(c, consoleQuery);
	return parts.limits.consoleStream(visit.account.id, async (stream) => {
		const { id, console_end: end } = await findLease(parts.database.query, ownedBy(visit));
		return respondStream(c, {
			...stream,
			contentType: 'text/plain; charset=utf-8',
			headers: { 'content-disposition': `attachment; filename="${id}.txt"` },
			stopping: parts.stopping,
			pieces: () => consoleBytes(parts.database, { leaseId: id, from: Number(from), end }),
		});
	});
}

/** A form of the lease page: it returns to the page, which shows an error of the API. */
const form = {
	again: show,
	sentences: {
		flash_offset: 'Enter the offset as 0x10000 or 65536; the highest is 0xffffffff.',
		minutes: 'The lease cannot be renewed any further.',
		action: 'This board does not support that.',
	},
};

function backTo({ c }: MemberVisit, notice?: NoticeName) {
	return goTo(c, encodedPath(c, '/leases'), notice);
}

/** Returns to the page, and says so if the form was sent before: it may be meant as another request. */
function backAfter(visit: MemberVisit, { headers }: Response, done?: NoticeName) {
	return backTo(visit, headers.has('idempotent-replayed') ? 'already-sent' : done);
}

const release = onSubmit({
	...form,
	change: async (visit) => {
		const response = await requestApi(visit, 'DELETE', encodedPath(visit.c, '/leases'));
		const { end_reason } = await bodyOf(response, lease);
		if (end_reason === 'cancelled') return backTo(visit, 'queue-left');
		return backTo(visit, end_reason === 'released' ? 'lease-released' : 'lease-had-ended');
	},
});

const renew = onSubmit({
	...form,
	fields: ['token'],
	change: async (visit, { token }) => {
		const path = encodedPath(visit.c, '/leases');
		const current = await readApi(visit, path, lease);
		const json = { minutes: Math.ceil((current.expires_in_ms ?? 0) / 60_000) + 10 };
		const renewal = requestApi(visit, 'POST', `${path}/renew`, { json, key: formKey(token) });
		const response = await renewal.catch((error) => {
			// The form was sent before: since then, its ten minutes count from another end.
			if (error instanceof ApiError && error.code === 'idempotency_conflict') return undefined;
			throw error;
		});
		if (!response) return backTo(visit, 'already-sent');
		const { expires_at } = await bodyOf(response, lease);
		const isLonger = expires_at !== current.expires_at;
		return backAfter(visit, response, isLonger ? 'lease-renewed' : 'lease-at-limit');
	},
});

const useButton = onSubmit({
	...form,
	fields: ['action', 'token'],
	change: async (visit, { action, token }) => {
		const path = `${encodedPath(visit.c, '/leases')}/actions`;
		// Each button of the form can be used once.
		const sent = { json: { action }, key: formKey(token && `${token} ${action}`) };
		return backAfter(visit, await requestApi(visit, 'POST', path, sent), 'action-started');
	},
});

const sendLine = onSubmit({
	...form,
	fields: ['line', 'token'],
	change: async (visit, { line, token }) => {
		const path = `${encodedPath(visit.c, '/leases')}/console`;
		const sent = { bytes: new TextEncoder().encode(`${line}\r`), key: formKey(token) };
		return backAfter(visit, await requestApi(visit, 'POST', path, sent));
	},
});

const flash = onSubmit({
	...form,
	change: async (visit) => {
		const { database, limits } = visit.parts;
		const path = encodedPath(visit.c, '/leases');
		// First, because the whole file is held in memory.
		const { id } = await findDrivenLease(database.query, ownedBy(visit));
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
		const sent = { json: { action: 'flash', file_id, flash_offset }, key: formKey(token) };
		const response = await requestApi(visit, 'POST', `${path}/actions`, sent);
		return backAfter(visit, response, 'action-started');
	},
});

/** An error about a file, with its name. */
function naming({ name }: File, error: unknown) {
	if (!(error instanceof ApiError)) return error;
	const message = error.message.replace('pass raw=true', 'choose “Raw binary” below');
	return new ApiError(error.code, `${name}: ${message}`, error.details);
}

/** The header as browsers and tools send it, so that its boundary is the one that the parser finds. */
const multipart = /^multipart\/form-data; ?boundary=("?)([\w'+.-]{1,70})\1$/i;

async function readFileForm({ c }: MemberVisit) {
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
	for (let parts = 0; parts <= mostParts && at >= 0; parts += 1) {
		const start = at + mark.length;
		const headers = body.toString('latin1', start, start + mostHeaders);
		if (headers.startsWith('--')) return true;
		if (!headers.includes('\r\n\r\n')) return false;
		at = body.indexOf(mark, start);
	}
	return false;
}

function ownedBy({ c, account }: MemberVisit) {
	return { accountId: account.id, id: c.req.param('id') ?? '' };
}
