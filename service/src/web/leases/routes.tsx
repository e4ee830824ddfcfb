// Leases: starting one, watching and using it, ending it, and the list of all.
import { consoleQuery, firmwareFile, lease, pageOf } from 'board-access-contract';
import * as z from 'zod/mini';
import { capabilitiesOf } from '../../agents/boards.ts';
import { boardNames } from '../../boards/store.ts';
import { now } from '../../database/time.ts';
import { ApiError } from '../../errors.ts';
import type { ServiceApp, ServiceContext } from '../../http/environment.ts';
import { readConfirmed, readQuery } from '../../http/read.ts';
import { respondStream } from '../../http/stream.ts';
import { readConsole } from '../../leases/console/store.ts';
import { findDrivenLease } from '../../leases/requirements.ts';
import { findLease } from '../../leases/store.ts';
import type { Parts } from '../../parts.ts';
import { readApi, requestApi } from '../api.ts';
import { formKey } from '../elements/form-token.tsx';
import { inPlainWords, readForm, refusal } from '../form.ts';
import type { NoticeName } from '../notices.ts';
import { goTo, type MemberVisit, type Pages, refused } from '../pages.tsx';
import { withQuery } from '../paths.ts';
import { LeasePage, leaseParts } from './lease-page.tsx';
import { LeasesPage } from './leases-page.tsx';
import type { Lease } from './status.tsx';
import { leaseEvents, readView } from './stream.ts';

const pageSize = '50';
const maxUpload = 17 * 1024 * 1024;
const reloadSeconds = 5;
/** How much of the console a page shows that reloads itself. */
const shownBytes = 16 * 1024;

export function leasePages(
	app: ServiceApp,
	{ database, limits, stopping, wake }: Pick<Parts, 'database' | 'limits' | 'stopping' | 'wake'>,
	{ forMembers }: Pages,
) {
	const { query } = database;

	app.get(
		'/leases',
		forMembers(async ({ c }) => {
			const path = withQuery('/leases', { limit: pageSize, cursor: c.req.query('cursor') });
			const page = await readApi(app, c, { path, schema: pageOf(lease) });
			const boardIds = page.data.flatMap(({ board_id }) => board_id ?? []);
			const names = await boardNames(query, boardIds);
			const main = (
				<LeasesPage leases={page.data} next={page.next_cursor} names={names} at={now()} />
			);
			return { title: 'Leases', main };
		}),
	);

	const show = async ({ c, account }: MemberVisit, error?: ApiError) => {
		const view = await readView(query, { accountId: account.id, id: idOf(c) });
		const current = view.lease;
		const driven = await drivenBoard(current);
		return {
			title: `Lease of ${current.board_type}`,
			main: (
				<LeasePage
					{...view}
					console={await consoleOf(c, current, driven !== undefined)}
					supported={driven?.capabilities?.actions}
					error={error}
					at={now()}
				/>
			),
			scripts: ['lease.js'] as const,
			styles: ['xterm.css'] as const,
			reloadSeconds: current.status !== 'ended' ? reloadSeconds : undefined,
		};
	};

	/** What the agent of the board supports, as far as it is known; undefined while nothing drives a board. */
	const drivenBoard = async ({ status, board_id }: Lease) => {
		if (board_id === null || status === 'queued') return undefined;
		const board = await query
			.selectFrom('boards')
			.select(['agent_id', 'capabilities'])
			.where('id', '=', board_id)
			.executeTakeFirst();
		return board?.agent_id ? { capabilities: capabilitiesOf(board) } : undefined;
	};

	/** The last output; undefined if there is none and nothing drives the board. */
	const consoleOf = async (c: ServiceContext, { id, board_id }: Lease, driven: boolean) => {
		if (board_id === null) return undefined;
		// The script of the page has the output already.
		const text = c.req.header('prefer') === 'return=minimal' ? '' : await lastOutput(id);
		return driven || text ? text : undefined;
	};

	const lastOutput = async (leaseId: string) => {
		const { console_end } = await query
			.selectFrom('leases')
			.select('console_end')
			.where('id', '=', leaseId)
			.executeTakeFirstOrThrow();
		const start = Math.max(0, console_end - shownBytes);
		const text = await consoleText(leaseId, start);
		return start === 0 ? text : `(The last 16 KiB. The download has the rest.)\n${text}`;
	};

	const consoleText = async (leaseId: string, start = 0) => {
		const pieces: Buffer[] = [];
		for (let from = start; ; ) {
			const { offset, data } = await readConsole(query, { leaseId, direction: 'output', from });
			if (data.length === 0) return Buffer.concat(pieces).toString('utf8');
			pieces.push(data);
			from = offset + data.length;
		}
	};

	app.get(
		'/leases/:id',
		forMembers((visit) => show(visit)),
	);

	app.get(
		'/leases/:id/events',
		forMembers(async ({ c, account }) => {
			const owned = { accountId: account.id, id: idOf(c) };
			const { fence, from = '0' } = readQuery(c, eventsQuery);
			await findLease(query, owned);
			const confirm = c.get('confirmCaller') ?? (async () => {});
			const page = { fence: fence === undefined ? null : Number(fence), from: Number(from) };
			const follower = { ...owned, ...page, confirm, render: leaseParts };
			return respondStream(c, {
				contentType: 'text/event-stream',
				stopping,
				onEnd: limits.consoleStream(account.id),
				pieces: (signal) => leaseEvents({ database, wake }, follower, signal),
			});
		}),
	);

	app.get(
		'/leases/:id/console.txt',
		forMembers(async ({ c }) => {
			const { id } = await readApi(app, c, { path: leasePath(c), schema: lease });
			c.header('content-disposition', `attachment; filename="${id}.txt"`);
			c.header('cache-control', 'no-store');
			c.header('x-content-type-options', 'nosniff');
			const { from = '0' } = readQuery(c, consoleQuery);
			return c.text(await consoleText(id, Number(from)));
		}),
	);

	/** A form of the lease page: it returns to the page, which shows an error of the API. */
	const act = (work: (c: ServiceContext, path: string, accountId: string) => Promise<Notice>) =>
		forMembers(async (visit) => {
			const { c, account } = visit;
			const done = await work(c, leasePath(c), account.id).catch(refusal);
			if (done instanceof ApiError) {
				const error = inPlainWords(done, sentences);
				return refused(await show(visit, error), error);
			}
			return goTo(c, `/leases/${c.req.param('id')}`, done);
		});

	app.post(
		'/leases/:id/release',
		act(async (c, path) => {
			const ended = await readApi(app, c, { method: 'DELETE', path, schema: lease });
			if (ended.end_reason === 'cancelled') return 'queue-left';
			return ended.end_reason === 'released' ? 'lease-released' : 'lease-had-ended';
		}),
	);

	app.post(
		'/leases/:id/renew',
		act(async (c, path) => {
			const headers = keyOf(await readForm(c, ['token']));
			const current = await readApi(app, c, { path, schema: lease });
			const minutes = Math.ceil((current.expires_in_ms ?? 0) / 60_000) + 10;
			const renewal = {
				method: 'POST',
				path: `${path}/renew`,
				json: { minutes },
				headers,
			} as const;
			const response = await requestApi(app, c, renewal).catch((error) => {
				// The form was sent before: since then, its ten minutes count from another end.
				if (error instanceof ApiError && error.code === 'idempotency_conflict') return undefined;
				throw error;
			});
			if (!response) return 'already-sent';
			const { expires_at } = lease.parse(await response.json());
			const isLonger = expires_at !== current.expires_at;
			return unlessRepeated(response, isLonger ? 'lease-renewed' : 'lease-at-limit');
		}),
	);

	app.post(
		'/leases/:id/actions',
		act(async (c, path) => {
			const { action, token } = await readForm(c, ['action', 'token']);
			// Each button of the form can be used once.
			const headers = keyOf({ token: token && `${token} ${action}` });
			const json = { action };
			const request = { method: 'POST', path: `${path}/actions`, json, headers } as const;
			return unlessRepeated(await requestApi(app, c, request), 'action-started');
		}),
	);

	app.post(
		'/leases/:id/console',
		act(async (c, path) => {
			const { line, token } = await readForm(c, ['line', 'token']);
			const bytes = new TextEncoder().encode(`${line}\r`);
			const headers = keyOf({ token });
			const request = { method: 'POST', path: `${path}/console`, bytes, headers } as const;
			return unlessRepeated(await requestApi(app, c, request));
		}),
	);

	app.post(
		'/leases/:id/flash',
		act(async (c, path, accountId) => {
			// First, because the whole file is held in memory.
			const { id } = await findDrivenLease(query, { accountId, id: idOf(c) });
			const parse = (read: () => Promise<FormData>) => limits.costlyRead(accountId, read);
			const form = await limits.upload(id, () => readFileForm(c, parse));
			const firmware = form.get('firmware');
			if (!(firmware instanceof File)) throw new ApiError('invalid_request', 'Choose a file.');
			const bytes = new Uint8Array(await firmware.arrayBuffer());
			const token = String(form.get('token') ?? '');
			const fileKey = keyOf({ token: token && `${token} file` });
			const files = form.get('raw') ? `${path}/files?raw=true` : `${path}/files`;
			const upload = { method: 'POST', path: files, bytes, headers: fileKey } as const;
			const file = await readApi(app, c, { ...upload, schema: firmwareFile }).catch((error) => {
				if (!(error instanceof ApiError)) throw error;
				const message = error.message.replace('pass raw=true', 'choose “Raw binary” below');
				throw new ApiError(error.code, `${firmware.name}: ${message}`, error.details);
			});
			const offset = form.get('flash_offset');
			const json = { action: 'flash', file_id: file.id, ...(offset && { flash_offset: offset }) };
			const headers = keyOf({ token });
			const request = { method: 'POST', path: `${path}/actions`, json, headers } as const;
			return unlessRepeated(await requestApi(app, c, request), 'action-started');
		}),
	);
}

/** Says so if the form was sent before, because it may be meant as another request. */
function unlessRepeated({ headers }: Response, done?: NoticeName): Notice {
	return headers.has('idempotent-replayed') ? 'already-sent' : done;
}

function keyOf({ token }: { token: string }) {
	return { 'idempotency-key': formKey(token) };
}

/** The fields of a form with a file. */
async function readFileForm(
	c: ServiceContext,
	parse: (read: () => Promise<FormData>) => Promise<FormData>,
) {
	const type = c.req.header('content-type') ?? '';
	// The other kind takes minutes to parse if it has millions of fields.
	if (!/^multipart\/form-data\s*;/i.test(type)) throw notAFileForm();
	const body = await readConfirmed(c, maxUpload);
	// Very many parts take up to a second.
	return parse(() =>
		new Response(body, { headers: { 'content-type': type } }).formData().catch(() => {
			throw notAFileForm();
		}),
	);
}

function notAFileForm() {
	return new ApiError('unsupported_media_type', 'This page accepts a form with a file.');
}

/** The console that the page has. */
const eventsQuery = z.strictObject({
	fence: z.optional(z.string().check(z.regex(/^\d{1,12}$/))),
	from: z.optional(z.string().check(z.regex(/^\d{1,12}$/))),
});

type Notice = NoticeName | undefined;

const sentences = {
	flash_offset: 'Enter the offset as 0x10000 or 65536; the highest is 0xffffffff.',
	minutes: 'The lease cannot be extended any further.',
	action: 'This board does not support that.',
};

function idOf(c: ServiceContext) {
	return c.req.param('id') ?? '';
}

function leasePath(c: ServiceContext) {
	return `/leases/${encodeURIComponent(idOf(c))}`;
}
