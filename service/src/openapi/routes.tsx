// /openapi.json and /docs: what the service says of itself, written when it is first asked.
import type { ServiceApp } from '../http/environment.ts';
import type { Parts } from '../parts.ts';
import { openapiDocument } from './document.ts';
import { DocsPage, docsPolicy } from './page.tsx';

export function docsRoutes(app: ServiceApp, { settings }: Pick<Parts, 'settings'>) {
	let json: string | undefined;
	let page: string | undefined;
	const schemas = () => openapiDocument(settings).components.schemas;

	app.get('/openapi.json', (c) => {
		json ??= JSON.stringify(openapiDocument(settings));
		c.header('content-type', 'application/json');
		return c.body(json);
	});

	app.get('/docs', (c) => {
		page ??= `<!doctype html>${<DocsPage baseUrl={settings.baseUrl} schemas={schemas()} />}`;
		c.header('content-security-policy', docsPolicy);
		return c.html(page);
	});
}
