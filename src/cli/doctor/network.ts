// The real network, for the doctor.
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { connect } from 'node:tls';
import type { Network } from '../terminal/io.ts';

export const network: Network = {
	async lookup(host) {
		const found = await lookup(host, { all: true });
		return found.map(({ address }) => address);
	},
	async secure(host, port) {
		const signal = AbortSignal.timeout(5_000);
		const socket = connect({ host, port, servername: host });
		try {
			await once(socket, 'secureConnect', { signal });
			return {
				protocol: socket.getProtocol() ?? 'TLS',
				validTo: socket.getPeerCertificate().valid_to,
			};
		} finally {
			socket.destroy();
		}
	},
};
