// Firmware files: uploaded for a lease, or downloaded once for base images.
import { checkOffset, FirmwareError } from 'board-access-contract/firmware';
import type { Capabilities } from '../../agents/boards.ts';
import { timeIn } from '../../database/clock.ts';
import { newId } from '../../database/identifier.ts';
import type { Db, FileRow } from '../../database/schema.ts';
import { ApiError } from '../../errors.ts';
import { isFenced } from '../fence.ts';
import type { FileContent } from './content.ts';
import { invalidFirmware, readInThread } from './thread.ts';

const mostFiles = 32;
const mostBytes = 64 * 1024 * 1024;

const record = ['id', 'size', 'sha256', 'format'] as const;

interface NewFile extends FileContent {
	data: Buffer;
}

export async function createFile(db: Db, { leaseId, ...file }: NewFile & { leaseId: string }) {
	await requireRoom(db, { leaseId, size: file.data.length });
	return insertFile(db, { lease_id: leaseId, ...file });
}

export async function keepDownload(db: Db, { url, data }: { url: string; data: Buffer }) {
	return insertFile(db, { url, data, ...(await readInThread({ data, raw: true })) });
}

export function findFile(db: Db, { leaseId, fileId }: { leaseId: string; fileId: string }) {
	return db
		.selectFrom('files')
		.select(record)
		.where('id', '=', fileId)
		.where('lease_id', '=', leaseId)
		.executeTakeFirstOrThrow(() => new ApiError('file_not_found', 'This lease has no such file.'));
}

export function findDownload(db: Db, url: string) {
	return db
		.selectFrom('files')
		.select(record)
		.where('url', '=', url)
		.orderBy('created_at')
		.limit(1)
		.executeTakeFirst();
}

export function findNeededFile(db: Db, { agentId, boardId, fence, fileId }: NeededFile) {
	const missing = 'No lease on a board of this agent needs the file.';
	return db
		.selectFrom('files')
		.innerJoin('lease_actions', 'lease_actions.file_id', 'files.id')
		.innerJoin('leases', 'leases.id', 'lease_actions.lease_id')
		.innerJoin('boards', 'boards.id', 'leases.board_id')
		.select(['files.sha256', 'files.data'])
		.where('files.id', '=', fileId)
		.where('boards.id', '=', boardId)
		.where(isFenced({ agentId, fence }))
		.limit(1)
		.executeTakeFirstOrThrow(() => new ApiError('file_not_found', missing));
}

interface NeededFile {
	agentId: string;
	boardId: string;
	fence: number;
	fileId: string;
}

/** Deletes the uploads of leases that ended before a moment. */
export async function deleteOldFiles(db: Db, endedBefore: string) {
	await db
		.deleteFrom('files')
		.where('lease_id', 'in', (eb) =>
			eb.selectFrom('leases').select('id').where('ended_at', '<', endedBefore),
		)
		.execute();
}

/** Deletes the downloads that no base image names any more, and no step of a live lease. */
export async function deleteUnusedDownloads(db: Db) {
	await db
		.deleteFrom('files')
		.where('url', 'is not', null)
		.where('url', 'not in', (eb) => eb.selectFrom('base_images').select('url'))
		.where('url', 'not in', (eb) =>
			eb
				.selectFrom('lease_actions')
				.innerJoin('leases', 'leases.id', 'lease_actions.lease_id')
				.select('lease_actions.url')
				.where('leases.status', 'in', ['preparing', 'active'])
				.where('lease_actions.url', 'is not', null),
		)
		.execute();
}

/** Rejects a flash offset that does not apply to the file, or at which it does not fit the board. */
export function requireOffset(
	file: Pick<FileRow, 'format' | 'size'>,
	flashOffset: string,
	{ memory }: Capabilities,
) {
	try {
		checkOffset(file, Number(flashOffset), memory);
	} catch (error) {
		throw error instanceof FirmwareError ? invalidFirmware(error.message) : error;
	}
}

async function requireRoom(db: Db, { leaseId, size }: { leaseId: string; size: number }) {
	const { files, bytes } = await db
		.selectFrom('files')
		.select(({ fn }) => [fn.countAll().as('files'), fn.sum('size').as('bytes')])
		.where('lease_id', '=', leaseId)
		.executeTakeFirstOrThrow();
	if (Number(files) < mostFiles && Number(bytes ?? 0) + size <= mostBytes) return;
	throw new ApiError('lease_limit', 'A lease has at most 32 files and 64 MiB in all.');
}

function insertFile(db: Db, file: NewFile & { lease_id?: string; url?: string }) {
	return db
		.insertInto('files')
		.values({ ...file, id: newId('fil'), size: file.data.length, created_at: timeIn(db) })
		.returning(record)
		.executeTakeFirstOrThrow();
}
