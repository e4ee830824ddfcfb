// Channels over requests, for networks that block WebSockets: a response streams the frames to an end, and requests
// carry those from it. A ticket is the credential of both.
import { createFrameReader, encodeWithLength, type Frame } from 'board-access-contract';
import { ApiError, homeOf } from 'board-access-core';
import { callerAddress } from 'board-access-http/address';
import type { ServiceApp, ServiceContext } from 'board-access-http/environment';
import { completeResponse } from 'board-access-http/headers';
import { readRaw } from 'board-access-http/read';
import type { Attachment } from '../channels/channels.ts';
import type { Services } from '../services.ts';

/** Room for a batch of frames. */
const maxBody = 256 * 1024;

const path = '/v1/channels/:id{chn_[0-9a-f]{24}}';
const octets = 'application/octet-stream';

export function channelRoutes(app: ServiceApp, services: Services) {
	const { channels, database, limits, settings, stopping } = services;
	/** The connections by their tickets. */
	const open = new Map<string, Attachment>();

	app.get(path, async (c) => {
		const ticket = ticketOf(c);
		const stream = frameStream();
		const { attachment, elsewhere } = await channels.attach({
			id: c.req.param('id'),
			ticket,
			network: callerAddress(c, settings),
			connection: stream.connection,
		});
		if (!attachment) return passOn(c, elsewhere);
		open.set(ticket, attachment);
		stream.onEnd(() => {
			open.delete(ticket);
			attachment.detach();
		});
		const gone = AbortSignal.any([c.req.raw.signal, stopping]);
		gone.addEventListener('abort', stream.connection.close, { once: true });
		if (gone.aborted) stream.connection.close();
		return respondFrames(c, stream.body);
	});

	app.post(path, async (c) => {
		const attachment = open.get(ticketOf(c));
		if (!attachment) {
			await limits.unauthenticated(callerAddress(c, settings));
			const found = await homeOf(database.query, c.req.param('id'));
			if (!found || channels.isHome(found.home)) {
				throw new ApiError('ticket_invalid', 'The ticket is not valid.');
			}
			return passOn(c, channels.elsewhere(found.home_url));
		}
		const body = await readRaw(c, maxBody);
		for (const frame of framesIn(body)) attachment.receive(frame);
		return c.body(null, 204);
	});
}

function framesIn(body: Uint8Array): Frame[] {
	try {
		return createFrameReader()(body);
	} catch {
		throw new ApiError('invalid_request', 'The body has an invalid frame.');
	}
}

function ticketOf(c: ServiceContext): string {
	const ticket = /^Ticket ([0-9a-f]{48})$/.exec(c.req.header('authorization') ?? '')?.[1];
	if (ticket) return ticket;
	throw new ApiError('ticket_invalid', 'A ticket of a channel is required.', {
		hint: 'Open the channel: POST /v1/leases/{id}/channels',
	});
}

/** A body of frames, until the connection is closed. */
function frameStream() {
	const ended = Promise.withResolvers<void>();
	let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
	let isOpen = true;
	const close = () => {
		if (isOpen) controller?.close();
		isOpen = false;
		ended.resolve();
	};
	const body = new ReadableStream<Uint8Array>(
		{
			start(given) {
				controller = given;
			},
			cancel() {
				isOpen = false;
				ended.resolve();
			},
		},
		new ByteLengthQueuingStrategy({ highWaterMark: 0 }),
	);
	return {
		body,
		onEnd: (call: () => void) => void ended.promise.then(call),
		connection: {
			send(frame: Frame) {
				if (isOpen) controller?.enqueue(encodeWithLength(frame));
			},
			close,
			get unread() {
				return -(controller?.desiredSize ?? 0);
			},
		},
	};
}

/** Sends the request to the replica where the channel is at home. */
async function passOn(c: ServiceContext, home: string): Promise<Response> {
	const { method, signal } = c.req.raw;
	const { body, status, headers } = await fetch(`${home}${c.req.path}`, {
		method,
		headers: {
			authorization: c.req.header('authorization') ?? '',
			...(method === 'POST' && { 'content-type': octets }),
		},
		...(method === 'POST' && { body: new Uint8Array(await readRaw(c, maxBody)) }),
		signal,
		redirect: 'error',
	}).catch(() => {
		throw new ApiError('unavailable', 'The replica of the channel cannot be reached.');
	});
	return respondFrames(c, body, { status, contentType: headers.get('content-type') ?? octets });
}

function respondFrames(
	c: ServiceContext,
	body: ReadableStream<Uint8Array> | null,
	{ status = 200, contentType = octets } = {},
) {
	return completeResponse({
		body,
		status,
		headers: { 'content-type': contentType, 'x-accel-buffering': 'no' },
		requestId: c.get('requestId'),
	});
}
