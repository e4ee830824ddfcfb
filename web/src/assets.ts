// The stylesheets and scripts, in memory, in a folder whose name changes with their content.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { ServiceApp } from 'board-access-http/environment';
import { getMimeType } from 'hono/utils/mime';
import { bundleScripts } from './bundle.ts';
import { compressible } from './compress.ts';

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
	'boards',
	'leases',
	'console',
	'queue',
	'overview',
	'drawings',
	'docs',
];

const directory = new URL('./assets/', import.meta.url);
const names = readdirSync(directory).filter((name) => name.includes('.'));

/** The contents by their names. */
const assets: Record<string, Buffer<ArrayBuffer>> = {
	...Object.fromEntries(names.map((name) => [name, read(name)])),
	// The build puts the scripts beside the pictures.
	...(names.includes('common.js') ? {} : bundleScripts()),
	'app.css': stripped(Buffer.concat(styles.map((name) => read(`styles/${name}.css`)))),
};

// One folder for all, so that a script can load another by a relative path.
const hash = createHash('sha256');
for (const content of Object.values(assets)) hash.update(content);
const folder = `/assets/${hash.digest('hex').slice(0, 12)}`;

/** The address of an asset; it changes whenever the content of any asset does. */
export function assetPath(name: string) {
	return `${folder}/${name}`;
}

/** The text of an asset that becomes part of a page. */
export function assetText(name: string) {
	return assets[name]?.toString() ?? '';
}

export function assetRoutes(app: ServiceApp) {
	for (const [name, content] of Object.entries(assets)) {
		const type = getMimeType(name) ?? '';
		const encode = compressible(content);
		app.get(`${folder}/${name}`, async (c) => {
			const { body, headers } = await encode(c);
			return c.body(body, 200, {
				...headers,
				'content-type': type,
				'cache-control': 'public, max-age=31536000, immutable',
			});
		});
	}
}

function read(name: string) {
	return readFileSync(new URL(name, directory));
}

/** A stylesheet without comments and indentation, which are a fifth of its bytes. */
function stripped(source: Buffer) {
	const code = String(source).replace(/^\s*(?:\/\/.*|\/\*[\s\S]*?\*\/)\n/gm, '');
	return Buffer.from(code.replace(/^\s+/gm, ''));
}
