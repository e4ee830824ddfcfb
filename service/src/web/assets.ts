// The stylesheets and scripts, held in memory under names that change with their content.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { ServiceApp } from '../http/environment.ts';

// A later file may override an earlier one.
const styles = [
	'tokens',
	'base',
	'frame',
	'boxes',
	'controls',
	'tables',
	'code',
	'pages',
	'leases',
	'docs',
];

const css = 'text/css; charset=utf-8';
const javaScript = 'text/javascript; charset=utf-8';
const packages = createRequire(import.meta.url);

const assets = {
	'app.css': {
		type: css,
		content: Buffer.concat(styles.map((name) => read(`styles/${name}.css`))),
	},
	'confirm.js': script('confirm.js'),
	'connection.js': script('connection.js'),
	'copy.js': script('copy.js'),
	'forms.js': script('forms.js'),
	'lease.js': script('lease.js'),
	'lease-console.js': script('lease-console.js'),
	'lease-stream.js': script('lease-stream.js'),
	'live-results.js': script('live-results.js'),
	'local-time.js': script('local-time.js'),
	'one-time.js': script('one-time.js'),
	'xterm.js': { type: javaScript, content: readPackage('@xterm/xterm/lib/xterm.mjs') },
	'xterm-fit.js': { type: javaScript, content: readPackage('@xterm/addon-fit/lib/addon-fit.mjs') },
	'xterm.css': { type: css, content: readPackage('@xterm/xterm/css/xterm.css') },
	'icon.svg': { type: 'image/svg+xml', content: read('icon.svg') },
	'boards-light.png': { type: 'image/png', content: read('boards-light.png') },
	'boards-dark.png': { type: 'image/png', content: read('boards-dark.png') },
};

export type AssetName = keyof typeof assets;

// One folder for all of them, so that a script can import its neighbour by a relative path.
const hash = createHash('sha256');
for (const { content } of Object.values(assets)) hash.update(content);
const folder = `/assets/${hash.digest('hex').slice(0, 12)}`;

/** The address of an asset; it changes whenever the content of any asset does. */
export function assetPath(name: AssetName) {
	return `${folder}/${name}`;
}

export function assetRoutes(app: ServiceApp) {
	for (const [name, { content, type }] of Object.entries(assets)) {
		app.get(`${folder}/${name}`, (c) => {
			const headers = {
				'content-type': type,
				'cache-control': 'public, max-age=31536000, immutable',
				// A script may run as a worker, which has its own policy.
				'content-security-policy': "default-src 'none'; connect-src 'self'",
			};
			// Passed on as it is: a copy for each response would be held until the caller has read it.
			return c.body(content, 200, headers);
		});
	}
}

function read(name: string) {
	return readFileSync(new URL(`./assets/${name}`, import.meta.url));
}

function readPackage(path: string) {
	return readFileSync(packages.resolve(path));
}

function script(name: string) {
	return { type: javaScript, content: read(name) };
}
