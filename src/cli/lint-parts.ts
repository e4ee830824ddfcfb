// Checks the parts of a file chip by chip, with the sizes of the images that lie beside it.
import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { FlashPart } from './flash-part.ts';
import { type Fault, faultsOf } from './flash-rules.ts';

const sizeOf = async (path: string, directory: string) => {
	if (path === '' || /^https?:/i.test(path)) return undefined;
	const file = await stat(resolve(directory, path)).catch(() => undefined);
	return file?.isFile() ? file.size : undefined;
};

export const lintParts = async (parts: readonly FlashPart[], file: string): Promise<Fault[]> => {
	const sized = await Promise.all(
		parts.map(async (part) => ({ ...part, size: await sizeOf(part.path, dirname(file)) })),
	);
	return [...Map.groupBy(sized, ({ chip }) => chip).values()].flatMap(faultsOf);
};
