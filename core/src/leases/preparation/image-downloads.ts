// Downloads the base images that preparations wait for.
import type { ExpressionBuilder } from 'kysely';
import { downloadImage, ImageDownloadError } from '../../base-images/download.ts';
import type { Core } from '../../core.ts';
import { timeIn } from '../../database/clock.ts';
import { locking } from '../../database/locks.ts';
import type { Db, Schema } from '../../database/schema.ts';
import { inTransaction } from '../../database/transactions.ts';
import { ApiError } from '../../errors.ts';
import { every } from '../../every.ts';
import { changeAccount } from '../change.ts';
import { findDownload, keepDownload, requireDiskSpace } from '../files/store.ts';
import { countChange } from '../live.ts';
import { hasOtherBoards } from '../queue/plan.ts';
import { failDownload } from '../rules/preparation.ts';

const interval = 1_000;

/** Longer than a download takes. The claim of a replica that was killed expires. */
const claimMilliseconds = 90_000;

/** Checks once a second which images preparations wait for. Only one replica downloads each image. */
export function startImageDownloads(core: Core) {
	const running = new Map<string, Promise<void>>();
	const begin = async () => {
		for (const url of await waitedFor(core)) {
			if (running.has(url)) continue;
			const work = provide(core, url)
				.catch((error) => core.log.warn({ error }, 'Storing a base image failed; retrying'))
				.finally(() => running.delete(url));
			running.set(url, work);
		}
	};
	const looking = every(interval, begin, (error) =>
		core.log.warn({ error }, 'Looking for base images to download failed; retrying'),
	);
	return {
		async close() {
			await looking.close();
			await Promise.all(running.values());
		},
	};
}

async function waitedFor({ database }: Core) {
	const rows = await database.query
		.selectFrom('lease_actions')
		.innerJoin('leases', 'leases.id', 'lease_actions.lease_id')
		.select('lease_actions.url')
		.distinct()
		.where('leases.status', '=', 'preparing')
		.where('lease_actions.phase', '=', 'prepare')
		.where('lease_actions.status', '=', 'queued')
		.where('lease_actions.url', 'is not', null)
		.where('lease_actions.file_id', 'is', null)
		.execute();
	return rows.flatMap(({ url }) => url ?? []);
}

function claim(db: Db, url: string) {
	const expires_at = timeIn(db, claimMilliseconds);
	return db
		.insertInto('image_downloads')
		.values({ url, expires_at })
		.onConflict((conflict) =>
			conflict
				.column('url')
				.doUpdateSet({ expires_at })
				.where('image_downloads.expires_at', '<', timeIn(db)),
		)
		.returning('url')
		.executeTakeFirst();
}

async function provide(core: Core, url: string) {
	const db = core.database.query;
	if (!(await claim(db, url))) return;
	try {
		await deliver(core, url, (await findDownload(db, url)) ?? (await download(core, url)));
	} catch (error) {
		// The service downloads it after its next start.
		if (core.stopping.aborted) return;
		if (!(error instanceof ImageDownloadError || error instanceof ApiError)) throw error;
		core.log.warn({ url, error }, 'A base image cannot be downloaded');
		await failSteps(core, url, error.message);
	} finally {
		await db.deleteFrom('image_downloads').where('url', '=', url).execute();
	}
}

async function download({ database, settings, stopping }: Core, url: string) {
	await requireDiskSpace(settings.database);
	const data = await downloadImage(url, { imageHosts: settings.imageHosts, signal: stopping });
	return keepDownload(database.query, { url, data });
}

async function deliver({ database, dispatch }: Core, url: string, file: { id: string }) {
	const leases = await inTransaction(database.query, async (db) => {
		const waiting = await db
			.selectFrom('leases')
			.select(['id', 'board_id'])
			.where('id', 'in', waitingLeases(db, url))
			.orderBy('id')
			.$call(locking(db, 'leases'))
			.execute();
		const ids = waiting.map(({ id }) => id);
		if (ids.length === 0) return [];
		await countChange(db, ids);
		await db
			.updateTable('lease_actions')
			.set({ file_id: file.id })
			.where(waitsFor(url))
			.where('lease_id', 'in', ids)
			.execute();
		return waiting;
	});
	await dispatch({ leases });
}

function waitsFor(url: string) {
	return ({ eb, and }: ExpressionBuilder<Schema, 'lease_actions'>) =>
		and([eb('url', '=', url), eb('status', '=', 'queued'), eb('file_id', 'is', null)]);
}

function waitingLeases(db: Db, url: string) {
	return db.selectFrom('lease_actions').select('lease_id').distinct().where(waitsFor(url));
}

/** Fails the preparations that need the image. That is no failure of the boards. */
async function failSteps(core: Core, url: string, message: string) {
	const { query } = core.database;
	const leases = query.selectFrom('leases').select(['id', 'account_id as accountId']);
	for (const { id, accountId } of await leases
		.where('id', 'in', waitingLeases(query, url))
		.execute()) {
		await changeAccount(core, {
			accountId,
			leaseIds: [id],
			load: async (db, state) => ({ hasOthers: await hasOtherBoards(db, state, id) }),
			decide: (state, { hasOthers }) => failDownload(state, id, { url, message, hasOthers }),
		});
	}
}
