// The tools for coding agents, as a server of the Model Context Protocol.
import { BoardAccess, type Fetch } from 'board-access';
import { consoleTools } from './consoles.ts';
import { firmwareTool } from './firmware.ts';
import { leaseTools } from './leases.ts';
import type { Place } from './place.ts';

export type { Place } from './place.ts';
export { createToolServer } from './server.ts';

/** The tools that there are everywhere. */
export function boardTools(place: Place) {
	return [...leaseTools(place), firmwareTool(place), ...consoleTools(place)];
}

/** A client of the service that it is a part of: its requests stay in the process. */
export function createClient(baseUrl: string, fetch: Fetch) {
	return new BoardAccess({ apiKey: null, baseUrl, allowInsecureHttp: true, fetch });
}
