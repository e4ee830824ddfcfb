// A port of a board besides its console, which a tool opens and which does not reconnect.
import { usualLine } from 'board-access-contract';
import type { BoardPort } from '../drivers/hardware.ts';
import type { Permit } from '../link/contact.ts';
import { type Connect, connectInTime } from './reconnecting.ts';

/** `permit` is asked before each use of the board. */
export function boardPort(connect: Connect, address: string, permit: Permit): BoardPort {
	return {
		async open(events) {
			await permit();
			let isOpen = true;
			const close = (reason?: string) => {
				if (isOpen && reason !== undefined) events.closed(reason);
				isOpen = false;
			};
			const connection = await connectInTime(connect, { ...events, closed: close }, address);
			return {
				async write(bytes) {
					await permit();
					await connection.write(bytes);
				},
				async set(settings) {
					await permit();
					return connection.set?.(settings) ?? usualLine;
				},
				async close() {
					close();
					await connection.close();
				},
			};
		},
	};
}
