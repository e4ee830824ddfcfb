// Firmware files: uploaded for a lease, or downloaded once for base images.
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { checkOffset, FirmwareError } from 'board-access-contract/firmware';
import type { ExpressionBuilder } from 'kysely';
import { lockAccount } from '../../accounts/lock.ts';
import type { Capabilities } from '../../boards/capabilities.ts';
import { timeIn } from '../../database/clock.ts';
import { filePath } from '../../database/location.ts';
import type { Db, FileRow, Schema } from '../../database/schema.ts';
import { inTransaction } from '../../database/transactions.ts';
import { ApiError } from '../../errors.ts';
import { newId } from '../../identifier.ts';
import { type Fenced, isFenced } from '../fence.ts';
import type { FileContent } from './content.ts';
import { invalidFirmware, readInThread } from './thread.ts';

const maxFiles = 32;
const mebibyte = 1024 * 1024;

const record = ['id', 'size', 'sha256', 'format'] as const;

interface NewFile extends FileContent {
	data: Buffer;
	lease_id?: string;
	url?: string;
	owner?: string;
}

type Upload = NewFile & { lease_id: string; owner: string };

/** Stores an upload for a lease, or returns the equal one. Needs a transaction that has locked the account. */
export async function createFile(db: Db, file: Upload, maxMebibytes: number) {
	const stored = await db
		.selectFrom('files')
		.select(record)
		.where('lease_id', '=', file.lease_id)
		.execute();
	const equal = stored.find(({ sha256 }) => sha256 === file.sha256);
	if (equal) return equal;
	if (stored.length >= maxFiles) {
		throw new ApiError('lease_limit', `A lease has at most ${maxFiles} files.`);
	}
	await requireStorage(db, file, maxMebibytes);
	return insertFile(db, file);
}

/** Stores the file of a base image, unless it is stored. */
export async function keepDownload(db: Db, { url, data }: { url: string; data: Buffer }) {
	const stored = await findDownload(db, url);
	if (stored) return stored;
	const content = await readInThread({ data, raw: true });
	return inTransaction(db, (db) => insertFile(db, { url, data, ...content }));
}

/** The upload that had this idempotency key, with the digest of its request. */
export function findUpload(
	db: Db,
	{ leaseId, accountId, key }: { leaseId: string; accountId: string; key: string },
) {
	return db
		.selectFrom('idempotency')
		.innerJoin('files', 'files.id', 'idempotency.resource_id')
		.select(['files.id', 'size', 'sha256', 'format', 'request_hash'])
		.where('account_id', '=', accountId)
		.where('idempotency_key', '=', key)
		.where('lease_id', '=', leaseId)
		.executeTakeFirst();
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

export function findNeededFile(db: Db, { boardId, fileId, ...fenced }: NeededFile) {
	const missing = 'No lease on a board of this agent needs the file.';
	return db
		.selectFrom('files')
		.innerJoin('lease_actions', 'lease_actions.file_id', 'files.id')
		.innerJoin('leases', 'leases.id', 'lease_actions.lease_id')
		.innerJoin('boards', 'boards.id', 'leases.board_id')
		.innerJoin('file_contents', (join) =>
			join
				.onRef('file_contents.owner', '=', 'files.owner')
				.onRef('file_contents.sha256', '=', 'files.sha256'),
		)
		.select(['files.sha256', 'file_contents.data'])
		.where('files.id', '=', fileId)
		.where('boards.id', '=', boardId)
		.where(isFenced(fenced))
		.limit(1)
		.executeTakeFirstOrThrow(() => new ApiError('file_not_found', missing));
}

interface NeededFile extends Fenced {
	boardId: string;
	fileId: string;
}

/** Deletes the bytes that neither a live lease nor a base image needs. */
export async function deleteUnneededContents(db: Db) {
	const found = await db
		.selectFrom('file_contents')
		.select('owner')
		.distinct()
		.where(isUnneeded)
		.execute();
	for (const { owner } of found) {
		await inTransaction(db, async (db) => {
			// An upload may be about to use the same bytes. A disabled account uploads nothing.
			await lockAccount(db, owner).catch((error) => {
				if (!(error instanceof ApiError)) throw error;
			});
			await deleteUnneededOf(db, owner);
		});
	}
}

function deleteUnneededOf(db: Db, owner: string) {
	return db.deleteFrom('file_contents').where('owner', '=', owner).where(isUnneeded).execute();
}

function isUnneeded({ not, exists, selectFrom }: ExpressionBuilder<Schema, 'file_contents'>) {
	return not(
		exists(
			selectFrom('files')
				.leftJoin('leases', 'leases.id', 'files.lease_id')
				.select('files.id')
				.whereRef('files.owner', '=', 'file_contents.owner')
				.whereRef('files.sha256', '=', 'file_contents.sha256')
				.where(({ eb, or }) =>
					or([eb('files.url', 'is not', null), eb('leases.status', '<>', 'ended')]),
				),
		),
	);
}

/** Deletes downloads that neither a base image nor a step of a live lease names. */
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

/** Rejects a flash offset that the format of the file does not allow, or at which the file does not fit. */
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

/** Left free on the disk of an SQLite file for everything else that the database writes. */
const leftFree = 256 * 1024 * 1024;

/** How many bytes are free on the disk of an SQLite file; undefined for other databases. */
export async function freeSpace(location: string) {
	const file = filePath(location);
	const disk = file && (await statfs(dirname(file)));
	return disk ? disk.bavail * disk.bsize : undefined;
}

/** On a full disk, every change would fail. */
export async function requireDiskSpace(location: string) {
	if (((await freeSpace(location)) ?? leftFree) >= leftFree) return;
	throw new ApiError('unavailable', 'The disk of the service is almost full: it stores no files.', {
		hint: 'Try again later, or tell whoever runs the service.',
	});
}

/** Rejects an upload that would exceed the storage of the account. */
async function requireStorage(db: Db, { owner, sha256, data }: Upload, maxMebibytes: number) {
	await deleteUnneededOf(db, owner);
	const stored = await db
		.selectFrom('file_contents')
		.select(({ fn }) => ['sha256', fn<number>('length', ['data']).as('size')])
		.where('owner', '=', owner)
		.execute();
	const used = stored.reduce((sum, { size }) => sum + size, 0);
	if (stored.some((content) => content.sha256 === sha256)) return;
	if (used + data.length <= maxMebibytes * mebibyte) return;
	const inMebibytes = (size: number) => (size / mebibyte).toFixed(1);
	throw new ApiError(
		'storage_limit',
		`The live leases of this account have ${inMebibytes(used)} MiB of files. With this one, of ${inMebibytes(data.length)} MiB, it would be more than ${maxMebibytes} MiB.`,
		{ hint: 'Release a lease: its files are then deleted. Equal files count once.' },
	);
}

/** Needs a transaction: otherwise, the bytes could be deleted before the file names them. */
async function insertFile(db: Db, { data, ...file }: NewFile) {
	const id = newId('fil');
	const { owner = id, sha256 } = file;
	await db
		.insertInto('file_contents')
		.values({ owner, sha256, data })
		.onConflict((conflict) => conflict.columns(['owner', 'sha256']).doNothing())
		.execute();
	return db
		.insertInto('files')
		.values({ ...file, owner, id, size: data.length, created_at: timeIn(db) })
		.returning(record)
		.executeTakeFirstOrThrow();
}
