// The stylesheet and scripts, held in memory under names that change with their content.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { ServiceApp } from '../http/environment.ts';

const types = {
	'app.css': 'text/css; charset=utf-8',
	'copy.js': 'text/javascript; charset=utf-8',
	'confirm.js': 'text/javascript; charset=utf-8',
	'forms.js': 'text/javascript; charset=utf-8',
	'live-filter.js': 'text/javascript; charset=utf-8',
	'one-time.js': 'text/javascript; charset=utf-8',
	'icon.svg': 'image/svg+xml',
} as const;

type AssetName = keyof typeof types;

const assets = Object.entries(types).map(([name, type]) => ({
	name,
	type,
	content: new Uint8Array(readFileSync(new URL(`./assets/${name}`, import.meta.url))),
}));

// One name for all of them, so that a script can import its neighbour by a relative path.
const hash = createHash('sha256');
for (const { content } of assets) hash.update(content);
const folder = `/assets/${hash.digest('hex').slice(0, 12)}`;

/** The address of an asset, which is another one whenever the content of any is. */
export const assetPath = (name: AssetName) => `${folder}/${name}`;

export const assetRoutes = (app: ServiceApp) => {
	for (const { name, content, type } of assets) {
		app.get(`${folder}/${name}`, () => {
			const headers = {
				'content-type': type,
				'cache-control': 'public, max-age=31536000, immutable',
				'x-content-type-options': 'nosniff',
			};
			return new Response(content, { headers });
		});
	}
};
