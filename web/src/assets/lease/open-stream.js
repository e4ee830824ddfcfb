// The connection to a lease, which all its tabs in this browser share.
import { followLease } from './stream.js';

/** A port for messages of the lease. */
export const openStream = (id) => {
	const address = new URL('./stream.js', import.meta.url);
	if ('SharedWorker' in window) return new SharedWorker(address, { type: 'module', name: id }).port;
	const { port1, port2 } = new MessageChannel();
	followLease(id)(port2);
	return port1;
};
