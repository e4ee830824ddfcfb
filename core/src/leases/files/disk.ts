// The free space on the disk of an SQLite file.
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { filePath } from '../../database/location.ts';
import { ApiError } from '../../errors.ts';

/** Reserved for everything else that the database writes. */
const leftFree = 256 * 1024 * 1024;

/** On a full disk, every change would fail. */
export async function requireDiskSpace(location: string) {
	const file = filePath(location);
	if (!file) return;
	const { bavail, bsize } = await statfs(dirname(file));
	if (bavail * bsize >= leftFree) return;
	throw new ApiError('unavailable', 'The disk of the service is almost full: it stores no files.', {
		hint: 'Try again later, or tell whoever runs the service.',
	});
}
