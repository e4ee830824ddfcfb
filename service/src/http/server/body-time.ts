// Bounds how long a body may take: a slow link that sends steadily has time, a trickle has not.
import type { IncomingMessage, RequestListener } from 'node:http';

interface BodyTime {
	/** Every body may take this time, in milliseconds. */
	milliseconds: number;
	/** A body that arrives at this rate may take longer, in bytes a second. */
	slowestRate: number;
}

/** 16 MiB may take 17 minutes. */
const usual: BodyTime = { milliseconds: 30_000, slowestRate: 16 * 1024 };

/** Passes requests on, and responds with 408 to one whose body does not arrive in time. */
export function withBodyTime(
	listener: RequestListener,
	{ milliseconds, slowestRate }: BodyTime = usual,
): RequestListener {
	return (incoming, outgoing) => {
		if (hasBody(incoming)) {
			const { socket } = incoming;
			const began = performance.now();
			const bytesBefore = socket.bytesRead;
			const check = () => {
				if (incoming.complete) return;
				const received = socket.bytesRead - bytesBefore;
				const left = began + milliseconds + (received / slowestRate) * 1000 - performance.now();
				if (left > 0) timer = setTimeout(check, left);
				else if (outgoing.headersSent) socket.destroy();
				else socket.end('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n').destroySoon();
			};
			let timer = setTimeout(check, milliseconds);
			const stop = () => clearTimeout(timer);
			incoming.once('end', stop).once('close', stop);
		}
		listener(incoming, outgoing);
	};
}

function hasBody({ headers }: IncomingMessage) {
	return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
