// Leases: starting one, watching and using it, ending it, and the list of all.

import { randomUUID } from 'node:crypto';
import { consoleQuery, firmwareFile, lease, leaseAction, pageOf } from 'board-access-contract';
import * as z from 'zod/mini';
import { boardNames } from '../../boards/store.ts';
import { timeIn } from '../../database/clock.ts';
import { ApiError } from '../../errors.ts';
import { readConfirmed, readQuery } from '../../http/read.ts';
import { respondStream } from '../../http/stream.ts';
import { withStarts } from '../../leases/actions/store.ts';
import { announceLease } from '../../leases/changes.ts';
import { chunksUntil, startOfTail } from '../../leases/console/reader.ts';
import { startMinutes } from '../../leases/grace.ts';
import { readDriven, readSample } from '../../leases/pins/store.ts';
import { drivenBoard, findDrivenLease } from '../../leases/requirements.ts';
import { findLease } from '../../leases/store.ts';
import { bodyOf, readApi, requestApi } from '../api.ts';
import { assetPath, modulesOf } from '../assets.ts';
import { HeldCredits } from '../elements/bar.tsx';
import { Back, ButtonLink, formKey } from '../elements/form.tsx';
import { Older } from '../elements/list.tsx';
import { ask } from '../elements/question.tsx';
import { PageHead, StrongName } from '../elements/text.tsx';
import type { NoticeName } from '../notices.tsx';
import { goTo, type MemberVisit, onSubmit, type Pages } from '../pages.tsx';
import { encodedPath, withQuery } from '../paths.ts';
import { LeaseList, leaseColumns } from './lease-list.tsx';
import { LeasePage, leaseParts } from './lease-page.tsx';
import { QueuePage, queueParts, queueTitle } from './queue-page.tsx';
import type { QueuedView } from './queue-view.ts';
import { EndReason, type Lease } from './status.tsx';
import { stepOf } from './steps.tsx';
import { type LeaseView, leaseEvents, readView, shownActions } from './stream.ts';

const pageSize = '50';
const maxUpload = 17 * 1024 * 1024;
/** The form has four fields. */
const mostParts = 8;
const mostHeaders = 4 * 1024;

const scripts = [...modulesOf('lease.js')];

export function leasePages({ members }: Pages) {
	members.get('/leases', list);
	members.get('/leases/:id', show);
	members.get('/leases/:id/events', follow);
	members.get('/leases/:id/actions', listActions);
	members.get('/leases/:id/console.txt', downloadConsole);
	members.post('/leases/:id/release', release);
	members.post('/leases/:id/renew', renew);
	members.post('/leases/:id/start', start);
	members.post('/leases/:id/actions', useButton);
	members.get('/leases/:id/erase', askToErase);
	members.post('/leases/:id/erase', erase);
	members.get('/leases/:id/console', watchConsole);
	members.post('/leases/:id/console', sendLine);
	members.post('/leases/:id/pins', drivePin);
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
			above={<HeldCredits account={visit.account} />}
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
	if (isQueued(view)) return queuePage(visit, view);
	const { id, board_type, status } = view.lease;
	const driven = await drivenBoard(query, id);
	const shown = await consoleOf(visit, view, driven !== undefined);
	const supported = driven?.capabilities?.actions;
	const live =
		status === 'active'
			? { pins: driven?.capabilities?.pins, ...(await readPins(visit)) }
			: undefined;
	const props = { ...view, ...shown, supported, live };
	const head = (
		<>
			<link rel="stylesheet" href={assetPath('xterm.css')} />
			{scripts.map((name) => (
				<link rel="modulepreload" href={assetPath(name)} />
			))}
			<script type="module" src={assetPath('lease.js')} />
			{status === 'preparing' && reloadsWithoutScript}
		</>
	);
	return { title: `Lease of ${board_type}`, main: <LeasePage {...props} />, head, workbench: true };
}

async function readPins(visit: MemberVisit) {
	const { query } = visit.parts.database;
	const row = await findLease(query, ownedBy(visit));
	return { sample: await readSample(query, row), driven: await readDriven(query, row) };
}

function queuePage({ parts }: MemberVisit, view: QueuedView) {
	const head = (
		<>
			<script type="module" src={assetPath('queue.js')} />
			{reloadsWithoutScript}
		</>
	);
	const main = <QueuePage view={view} baseUrl={parts.settings.baseUrl} />;
	return { title: queueTitle(view), main, head };
}

function isQueued(view: LeaseView): view is QueuedView {
	return view.queue !== undefined;
}

function partsOf(view: LeaseView) {
	return isQueued(view) ? queueParts(view) : leaseParts(view);
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

/** The console for those without JavaScript, apart from the line to send, which a reload would discard. */
async function watchConsole(visit: MemberVisit) {
	const view = await readView(visit.parts.database.query, ownedBy(visit));
	const { console = '' } = await consoleOf(visit, view, true);
	const path = encodedPath(visit.c, '/leases');
	const main = (
		<>
			<Back href={path} text="Lease" />
			<PageHead
				title="Console"
				lead="The last 64 KiB. Without JavaScript, this page reloads itself."
			/>
			<pre class="console console-text" tabindex={0}>
				{console}
			</pre>
		</>
	);
	const head = view.lease.status !== 'ended' && reloadsWithoutScript;
	return { title: 'Console', main, head };
}

const reloadsWithoutScript = (
	<noscript>
		<meta http-equiv="refresh" content="5" />
	</noscript>
);

/** The steps of a lease that has more of them than its page shows. */
async function listActions(visit: MemberVisit) {
	const path = encodedPath(visit.c, '/leases');
	const query = { limit: String(shownActions), cursor: visit.c.req.query('cursor') };
	const address = withQuery(`${path}/actions`, query);
	const { data, next_cursor } = await readApi(visit, address, pageOf(leaseAction));
	const id = visit.c.req.param('id') ?? '';
	const main = (
		<>
			<Back href={path} text="Lease" />
			<PageHead title="Steps" lead="In order, including those of the preparation." />
			<ol class="steps card">{withStarts(data).map((step) => stepOf(step, id))}</ol>
			<Older
				href={next_cursor && withQuery(`${path}/actions`, { cursor: next_cursor })}
				text="Later"
			/>
		</>
	);
	return { title: 'Steps', main };
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
	const follower = { ...owned, ...page, render: partsOf };
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
	const { actions, lease } = await readView(visit.parts.database.query, ownedBy(visit));
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

async function askToErase(visit: MemberVisit) {
	await findDrivenLease(visit.parts.database.query, ownedBy(visit));
	return ask(visit, {
		title: 'Erase the flash of the board?',
		lead: 'Its firmware and everything else in the flash are lost.',
		cancel: encodedPath(visit.c, '/leases'),
		submit: 'Erase',
		values: { token: randomUUID() },
	});
}

const erase = onSubmit({
	...form,
	again: askToErase,
	fields: ['token'],
	change: (visit, { token }) => act(visit, { action: 'erase', token }),
});

/** The pages alone have a grace, so they alone can end it early. */
const start = onSubmit({
	...form,
	change: async (visit) => {
		const started = await startMinutes(visit.parts.database.query, ownedBy(visit));
		announceLease(visit.parts.wake, started);
		return backTo(visit, 'lease-started');
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

const useButton = onSubmit({ ...form, fields: ['action', 'token'], change: act });

async function act(visit: MemberVisit, { action, token }: { action: string; token: string }) {
	const path = `${encodedPath(visit.c, '/leases')}/actions`;
	// Each button of the form can be used once.
	const sent = { json: { action }, key: formKey(token && `${token} ${action}`) };
	return backAfter(visit, await requestApi(visit, 'POST', path, sent), 'action-started');
}

const sendLine = onSubmit({
	...form,
	fields: ['line', 'token'],
	change: async (visit, { line, token }) => {
		const path = `${encodedPath(visit.c, '/leases')}/console`;
		const sent = { bytes: new TextEncoder().encode(`${line}\r`), key: formKey(token) };
		return backAfter(visit, await requestApi(visit, 'POST', path, sent));
	},
});

const drivePin = onSubmit({
	...form,
	fields: ['pin', 'volts', 'token'],
	change: async (visit, { pin, volts, token }) => {
		const path = `${encodedPath(visit.c, '/leases')}/pins`;
		const json = { pin, volts: volts === '' ? null : Number(volts) };
		const sent = { json, key: formKey(token && `${token} ${pin} ${volts}`) };
		return backAfter(visit, await requestApi(visit, 'POST', path, sent), 'pin-driven');
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
		const name = fileName(firmware);
		const sent = { json: { action: 'flash', name, file_id, flash_offset }, key: formKey(token) };
		const response = await requestApi(visit, 'POST', `${path}/actions`, sent);
		return backAfter(visit, response, 'action-started');
	},
});

/** As the API accepts names. */
function fileName({ name }: File) {
	const characters = [...name.replace(/\p{Cc}/gu, '').trim()];
	return characters.slice(0, 200).join('') || undefined;
}

/** An error about a file, with its name. */
function naming({ name }: File, error: unknown) {
	if (!(error instanceof ApiError)) return error;
	const message = error.message.replace('pass raw=true', 'choose “Raw binary”');
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
