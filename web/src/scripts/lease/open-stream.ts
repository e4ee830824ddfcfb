// The connection to a lease, which all its tabs in this browser share.
import { type FromTab, followLease, type Message } from '../stream.ts';

interface Stream {
	postMessage(message: FromTab): void;
	onmessage: ((event: MessageEvent<Message>) => void) | null;
}

/** Opens it by the address of its script. */
export function openStream(address: URL, id: string): Stream {
	if ('SharedWorker' in window) return new SharedWorker(address, { type: 'module', name: id }).port;
	const { port1, port2 } = new MessageChannel();
	followLease(id)(port2);
	return port1;
}
