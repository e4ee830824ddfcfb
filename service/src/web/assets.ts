// The stylesheet and scripts, held in memory under names that change with their content.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { ServiceApp } from '../http/environment.ts';

// In this order: what comes later may narrow what came before.
const styles = ['tokens', 'base', 'frame', 'boxes', 'controls', 'tables', 'code', 'pages'];

const assets = {
	'app.css': {
		type: 'text/css; charset=utf-8',
		content: Buffer.concat(styles.map((name) => read(`styles/${name}.css`))),
	},
	'confirm.js': script('confirm.js'),
	'copy.js': script('copy.js'),
	'forms.js': script('forms.js'),
	'live-filter.js': script('live-filter.js'),
	'one-time.js': script('one-time.js'),
	'icon.svg': { type: 'image/svg+xml', content: read('icon.svg') },
};

// One name for all of them, so that a script can import its neighbour by a relative path.
const hash = createHash('sha256');
for (const { content } of Object.values(assets)) hash.update(content);
const folder = `/assets/${hash.digest('hex').slice(0, 12)}`;

/** The address of an asset, which is another one whenever the content of any is. */
export function assetPath(name: keyof typeof assets) {
	return `${folder}/${name}`;
}

export function assetRoutes(app: ServiceApp) {
	for (const [name, { content, type }] of Object.entries(assets)) {
		app.get(`${folder}/${name}`, (c) => {
			const headers = {
				'content-type': type,
				'cache-control': 'public, max-age=31536000, immutable',
			};
			return c.body(new Uint8Array(content), 200, headers);
		});
	}
}

function read(name: string) {
	return readFileSync(new URL(`./assets/${name}`, import.meta.url));
}

function script(name: string) {
	return { type: 'text/javascript; charset=utf-8', content: read(name) };
}
