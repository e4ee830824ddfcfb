// The files that tools may read and write: those below one folder, wherever symbolic links lead.
import { constants, type Stats } from 'node:fs';
import { open, realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { reasonOf } from '../ci/file-reason.ts';
import { maxFileSize } from '../contract/index.ts';

export async function openRoot(folder: string) {
	const root = await real(folder);
	const inside = (path: string, name: string) => {
		const way = relative(root, path);
		// On Windows, the way to another drive is a path of its own.
		if (!isAbsolute(way) && way !== '..' && !way.startsWith(`..${sep}`)) return path;
		throw new Error(`${name} is outside of ${root}, where this server may read and write files`);
	};
	/** Where a file really is. */
	const pathOf = async (name: string) => {
		const path = inside(await real(resolve(root, name), name), name);
		// Others open it, who would wait for a pipe.
		regular(await stat(path), name);
		return path;
	};
	return {
		pathOf,
		async read(name: string) {
			// Opened without waiting, because it may be a pipe by now.
			const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
			await using file = await opened(await pathOf(name), flags, name);
			const { size } = regular(await file.stat(), name);
			if (size > maxFileSize) throw new Error(`${name} is larger than 16 MiB`);
			return new Uint8Array(await file.readFile());
		},
		/** Replaces a file, or creates it. */
		async write(name: string, text: string) {
			const path = resolve(root, name);
			const folder = inside(await real(dirname(path), name), name);
			const { O_WRONLY, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants;
			const flags = O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK;
			await using file = await opened(join(folder, basename(path)), flags, name);
			regular(await file.stat(), name);
			await file.truncate();
			await file.writeFile(text);
		},
	};
}

async function real(path: string, name = path) {
	return await realpath(path).catch((error: unknown) => unusable(name, error));
}

async function opened(path: string, flags: number, name: string) {
	return await open(path, flags).catch((error: unknown) => unusable(name, error));
}

function regular(found: Stats, name: string) {
	if (found.isFile()) return found;
	throw new Error(`${name} is not a file`);
}

function unusable(name: string, cause: unknown): never {
	throw new Error(`${name} cannot be used: ${reasonOf(cause)}`, { cause });
}
