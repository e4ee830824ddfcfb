// The API reference at /docs, rendered by the first request: it is long, and the same for everybody.
import { raw } from 'hono/html';
import type { Child } from 'hono/jsx';
import type { Settings } from '../../env.ts';
import type { ServiceApp } from '../../http/environment.ts';
import { openapiDocument } from '../../openapi/document.ts';
import type { Pages } from '../pages.tsx';
import { DocsPage } from './docs-page.tsx';

export function docsPage(app: ServiceApp, { forAnyone }: Pages) {
	let main: Child;
	const show = async ({ parts }: { parts: { settings: Settings } }) => {
		main ??= raw(await render(parts.settings));
		return { title: 'API reference', main };
	};
	app.get('/docs', forAnyone(show));
}

function render(settings: Settings) {
	const { schemas } = openapiDocument(settings).components;
	return (<DocsPage baseUrl={settings.baseUrl} schemas={schemas} />).toString();
}
