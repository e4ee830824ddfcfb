// The API reference at /docs.

import type { ServiceApp } from '../../http/environment.ts';
import { openapiDocument } from '../../openapi/document.ts';
import type { Parts } from '../../parts.ts';
import type { Pages } from '../pages.tsx';
import { DocsPage } from './docs-page.tsx';

export function docsPage(
	app: ServiceApp,
	{ settings }: Pick<Parts, 'settings'>,
	{ forAnyone }: Pages,
) {
	app.get(
		'/docs',
		forAnyone(() => ({
			title: 'API reference',
			main: (
				<DocsPage
					baseUrl={settings.baseUrl}
					schemas={openapiDocument(settings).components.schemas}
				/>
			),
		})),
	);
}
