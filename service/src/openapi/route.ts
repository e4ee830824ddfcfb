// /openapi.json, written on the first request.
import type { ServiceApp } from '../http/environment.ts';
import type { Parts } from '../parts.ts';
import { openapiDocument } from './document.ts';

export function openapiRoute(app: ServiceApp, { settings }: Pick<Parts, 'settings'>) {
	let json: string | undefined;

	app.get('/openapi.json', (c) => {
		json ??= JSON.stringify(openapiDocument(settings));
		c.header('content-type', 'application/json');
		c.header('x-content-type-options', 'nosniff');
		return c.body(json);
	});
}
