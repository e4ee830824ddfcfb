// /openapi.json and /docs: what the service says of itself.
import type { ServiceApp } from '../http/environment.ts';
import type { Parts } from '../parts.ts';
import { openapiDocument } from './openapi.ts';
import { DocsPage, docsPolicy } from './page.tsx';

export const docsRoutes = (app: ServiceApp, { settings: { baseUrl } }: Parts) => {
	app.get('/openapi.json', (c) => c.json(openapiDocument(baseUrl)));

	app.get('/docs', (c) => {
		c.header('content-security-policy', docsPolicy);
		const { components } = openapiDocument(baseUrl);
		return c.html(<DocsPage baseUrl={baseUrl} schemas={components.schemas} />);
	});
};
