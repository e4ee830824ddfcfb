// The network address that a request comes from.
import type { Settings } from '../env.ts';
import type { ServiceContext } from './environment.ts';

/** The peer's address; behind a proxy of our own, the address that the proxy saw. */
export const callerAddress = (c: ServiceContext, { trustProxy }: Settings) => {
	const forwarded = trustProxy && c.req.header('x-forwarded-for')?.split(',').at(-1)?.trim();
	return forwarded || (c.env?.incoming?.socket.remoteAddress ?? 'in-process');
};
