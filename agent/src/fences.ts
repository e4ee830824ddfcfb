// The highest fence of each board, kept in a file, so that an older lease never touches a board.
import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as z from 'zod/mini';

export interface Fences {
	/** The highest fence of the board, or -1. */
	of(boardId: string): number;
	/** Resolves once a higher fence is stored. May be retried. */
	raise(boardId: string, fence: number): Promise<void>;
}

// Pairs, because a board id may be the name of a property that every object has.
const state = z.object({ fences: z.array(z.tuple([z.string(), z.int()])) });

/** Reads the file. Without a file, the fences are kept in memory only. */
export async function openFences(file: string | undefined): Promise<Fences> {
	let stored = new Map(file === undefined ? [] : await readState(file));
	const fences = new Map(stored);
	let writing: Promise<void> = Promise.resolve();
	const store = async (boardId: string) => {
		if (file === undefined || stored.get(boardId) === fences.get(boardId)) return;
		const state = new Map(fences);
		await writeState(file, [...state]);
		stored = state;
	};
	return {
		of: (boardId) => fences.get(boardId) ?? -1,
		raise(boardId, fence) {
			if (fence > (fences.get(boardId) ?? -1)) fences.set(boardId, fence);
			writing = writing.catch(() => {}).then(() => store(boardId));
			return writing;
		},
	};
}

async function readState(file: string): Promise<[string, number][]> {
	try {
		return state.parse(JSON.parse(await readFile(file, 'utf8'))).fences;
	} catch (cause) {
		if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return [];
		throw new Error(
			`The state file ${file} cannot be read. Repair it, or remove it while no lease is live`,
			{ cause },
		);
	}
}

/** Written next to the file and renamed: a power cut leaves the old file or the new one. */
async function writeState(file: string, fences: [string, number][]): Promise<void> {
	await mkdir(dirname(file), { recursive: true });
	const draft = `${file}.new`;
	await using handle = await open(draft, 'w', 0o600);
	await handle.writeFile(`${JSON.stringify({ fences }, null, '\t')}\n`);
	await handle.sync();
	await rename(draft, file);
}
