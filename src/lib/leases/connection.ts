// What a lease needs of the client.
import type { RequestFunction, StreamFunction } from '../request.ts';

export interface Connection {
	request: RequestFunction;
	stream: StreamFunction;
}
