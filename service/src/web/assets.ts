// The stylesheets and scripts, held in memory under names that change with their content.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { getMimeType } from 'hono/utils/mime';
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

const packages = createRequire(import.meta.url);
const directory = new URL('./assets/', import.meta.url);

/** The contents by their names: all files of the folder, and what comes from packages. */
const assets: Record<string, Buffer<ArrayBuffer>> = {
	...Object.fromEntries(
		readdirSync(directory, { withFileTypes: true })
			.filter((entry) => entry.isFile())
			.map(({ name }) => [name, read(name)]),
	),
	'app.css': Buffer.concat(styles.map((name) => read(`styles/${name}.css`))),
	'xterm.js': readPackage('@xterm/xterm/lib/xterm.mjs'),
	'xterm-fit.js': readPackage('@xterm/addon-fit/lib/addon-fit.mjs'),
	'xterm.css': readPackage('@xterm/xterm/css/xterm.css'),
};

// One folder for all of them, so that a script can import its neighbor by a relative path.
const hash = createHash('sha256');
for (const content of Object.values(assets)) hash.update(content);
const folder = `/assets/${hash.digest('hex').slice(0, 12)}`;

/** The address of an asset; it changes whenever the content of any asset does. */
export function assetPath(name: string) {
	return `${folder}/${name}`;
}

export function assetRoutes(app: ServiceApp) {
	for (const [name, content] of Object.entries(assets)) {
		app.get(`${folder}/${name}`, (c) => {
			const headers = {
				'content-type': getMimeType(name) ?? '',
				'cache-control': 'public, max-age=31536000, immutable',
				// A script may run as a worker, which has its own policy.
				'content-security-policy':
					"default-src 'none'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'",
			};
			// Passed on as it is: a copy for each response would be held until the caller has read it.
			return c.body(content, 200, headers);
		});
	}
}

function read(name: string) {
	return readFileSync(new URL(name, directory));
}

function readPackage(path: string) {
	return readFileSync(packages.resolve(path));
}
