// Channels over WebSockets: the upgrade, the first frame with its ticket, and frames from then on.
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import {
	decodeFrame,
	encodeFrame,
	type Frame,
	maxFrame,
	messageFrame,
} from 'board-access-contract';
import { ApiError, asApiError } from 'board-access-core';
import { networkOf, peerOf } from 'board-access-http/address';
import { trustConnection } from 'board-access-http/server/connections';
import { hostCheck } from 'board-access-http/server/host';
import { type RawData, WebSocket, WebSocketServer } from 'ws';
import type { Services } from '../services.ts';
import type { Attachment, Connection } from './channels.ts';

/** How long the first frame may take, in milliseconds. */
const maxSilence = 5_000;

const place = /^\/v1\/channels\/(chn_[0-9a-f]{24})$/;

/** Accepts WebSockets on the server. Returns a function that ends them, for which the server does not wait. */
export function acceptSockets(server: Server, services: Services) {
	const sockets = new WebSocketServer({
		noServer: true,
		perMessageDeflate: false,
		maxPayload: maxFrame,
	});
	const check = hostCheck(services.settings);
	server.on('upgrade', (incoming: IncomingMessage, socket: Duplex, head: Buffer) => {
		socket.on('error', () => socket.destroy());
		const id = place.exec(incoming.url ?? '')?.[1];
		const isRejected = check(incoming) || services.stopping.aborted;
		if (id === undefined || isRejected) return reject(socket);
		sockets.handleUpgrade(incoming, socket, head, (accepted) => {
			accepted.on('error', () => accepted.terminate());
			void serve(services, { id, socket: accepted, incoming });
		});
	});
	return () => {
		for (const socket of sockets.clients) socket.terminate();
	};
}

function reject(socket: Duplex) {
	socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
}

interface Opened {
	id: string;
	socket: WebSocket;
	incoming: IncomingMessage;
}

async function serve(services: Services, opened: Opened) {
	const { socket, incoming } = opened;
	try {
		const frames = framesOf(socket);
		const first = await frames.first;
		const next = await attach(services, opened, first);
		frames.pass(next.receive);
		socket.once('close', next.detach);
		if (socket.readyState !== WebSocket.OPEN) next.detach();
		trustConnection(incoming.socket, { isUpgraded: true });
	} catch (error) {
		const { code, message } = asApiError(error as Error); // nothing else is thrown
		if (code === 'internal') services.log.error({ error }, 'A channel failed to open');
		socket.send(encodeFrame(messageFrame('end', { code, message })));
		socket.close();
	}
}

async function attach(services: Services, opened: Opened, first: Frame): Promise<Attachment> {
	const { id, socket, incoming } = opened;
	const { attachment, elsewhere } = await services.channels.attach({
		id,
		ticket: first.type === 'open' ? Buffer.from(first.payload).toString() : '',
		network: networkOf(peerOf(incoming.headers['x-forwarded-for'], incoming, services.settings)),
		connection: connectionOf(socket),
	});
	return attachment ?? passOn(socket, first, `${elsewhere}/v1/channels/${id}`);
}

function connectionOf(socket: WebSocket): Connection {
	return {
		send: (frame) => {
			if (socket.readyState === WebSocket.OPEN) socket.send(encodeFrame(frame));
		},
		close: () => socket.close(),
		get unread() {
			return socket.bufferedAmount;
		},
	};
}

/** The first frame, and those that follow once something takes them. */
function framesOf(socket: WebSocket) {
	const first = Promise.withResolvers<Frame>();
	const waiting: Frame[] = [];
	let take = (frame: Frame): void => {
		waiting.push(frame);
	};
	const timer = setTimeout(() => socket.terminate(), maxSilence);
	socket.once('close', () => first.reject(new ApiError('invalid_request', 'It was closed.')));
	socket.on('message', (data: RawData) => {
		clearTimeout(timer);
		const frame = Buffer.isBuffer(data) ? decodeFrame(data) : undefined;
		if (!frame) return socket.terminate();
		// Nobody has been let in yet.
		if (waiting.length > 1) return socket.terminate();
		take(frame);
		if (waiting.length === 1) first.resolve(frame);
	});
	return {
		first: first.promise,
		pass(receive: (frame: Frame) => void) {
			for (const frame of waiting.splice(0).slice(1)) receive(frame);
			take = receive;
		},
	};
}

/** Passes the frames of an agent on to the replica where the channel is at home. */
function passOn(socket: WebSocket, first: Frame, url: string): Attachment {
	const upstream = new WebSocket(url.replace(/^http/, 'ws'), { perMessageDeflate: false });
	const waiting = [first];
	upstream.on('open', () => {
		for (const frame of waiting.splice(0)) upstream.send(encodeFrame(frame));
	});
	upstream.on('message', (data: RawData) => {
		if (Buffer.isBuffer(data)) socket.send(data);
	});
	upstream.on('error', () => socket.close());
	upstream.on('close', () => socket.close());
	return {
		receive(frame) {
			if (upstream.readyState === WebSocket.CONNECTING) waiting.push(frame);
			else upstream.send(encodeFrame(frame));
		},
		detach: () => upstream.close(),
	};
}
