// The stylesheets and scripts, held in memory under names that change with their content.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path/posix';
import type { ServiceApp } from 'board-access-http/environment';
import { getMimeType } from 'hono/utils/mime';
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
	'palette',
];

const packages = createRequire(import.meta.url);
const directory = new URL('./assets/', import.meta.url);

/** The contents by their names: all files of the folders, and what comes from packages. */
const assets: Record<string, Buffer<ArrayBuffer>> = {
	...Object.fromEntries(
		readdirSync(directory, { recursive: true, encoding: 'utf8' })
			.filter((name) => /^(?!styles).*\.\w+$/.test(name))
			.map((name) => [name, name.endsWith('.js') ? readCode(name) : read(name)]),
	),
	'app.css': Buffer.concat(styles.map((name) => readCode(`styles/${name}.css`))),
	'xterm.js': readPackage('@xterm/xterm/lib/xterm.mjs'),
	'xterm-fit.js': readPackage('@xterm/addon-fit/lib/addon-fit.mjs'),
	'xterm-search.js': readPackage('@xterm/addon-search/lib/addon-search.mjs'),
	// Its notice is that of the script.
	'xterm.css': stripped(readPackage('@xterm/xterm/css/xterm.css')),
	// Its module is not minified.
	'uplot.js': Buffer.concat([
		readPackage('uplot/dist/uPlot.iife.min.js'),
		Buffer.from('\nexport default uPlot;\n'),
	]),
	'uplot.css': readPackage('uplot/dist/uPlot.min.css'),
};

// One folder for all of them, so that a script can import its neighbor by a relative path.
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

/** A script and all that it imports, so that a page can request them at once. */
export function modulesOf(name: string, found = new Set<string>()) {
	if (found.has(name)) return found;
	found.add(name);
	const imports = assetText(name).matchAll(/^(?:import|\} from) .*?'(\.[\w/.-]+)';$/gm);
	for (const [, path = ''] of imports) modulesOf(join(dirname(name), path), found);
	return found;
}

export function assetRoutes(app: ServiceApp) {
	for (const [name, content] of Object.entries(assets)) {
		const type = getMimeType(name) ?? '';
		const encode = compressible(content, type);
		app.get(`${folder}/${name}`, async (c) => {
			const { body, headers } = await encode(c);
			return c.body(body, 200, {
				...headers,
				'content-type': type,
				'cache-control': 'public, max-age=31536000, immutable',
				// A script may run as a worker, which has its own policy.
				'content-security-policy':
					"default-src 'none'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'",
			});
		});
	}
}

function read(name: string) {
	return readFileSync(new URL(name, directory));
}

function readCode(name: string) {
	return stripped(read(name));
}

/** A script or a stylesheet without the lines of its comments and without indentation, a fifth of what is sent. */
function stripped(source: Buffer) {
	const code = String(source).replace(/^\s*(?:\/\/.*|\/\*[\s\S]*?\*\/)\n/gm, '');
	return Buffer.from(code.replace(/^\s+/gm, ''));
}

function readPackage(path: string) {
	return readFileSync(packages.resolve(path));
}
