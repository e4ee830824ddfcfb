// Which replica downloads an image, so that the others wait for it. A claim expires unless it is renewed,
// so a replica that was killed does not hold it for long.
import { randomUUID } from 'node:crypto';
import { timeIn } from '../../database/clock.ts';
import type { Db } from '../../database/schema.ts';

const milliseconds = 15_000;

export function createDownloadClaims(db: Db) {
	const replica = randomUUID();
	const fromNow = () => timeIn(db, milliseconds);
	return {
		/** Whether this replica may download the image, because no other one does. */
		async take(url: string) {
			const expires_at = fromNow();
			const taken = await db
				.insertInto('image_downloads')
				.values({ url, replica, expires_at })
				.onConflict((conflict) =>
					conflict
						.column('url')
						.doUpdateSet({ replica, expires_at })
						.where('image_downloads.expires_at', '<', timeIn(db)),
				)
				.returning('url')
				.executeTakeFirst();
			return taken !== undefined;
		},
		/** Only of these images, so that a claim whose release failed expires. */
		async keepAlive(urls: readonly string[]) {
			if (urls.length === 0) return;
			await db
				.updateTable('image_downloads')
				.set({ expires_at: fromNow() })
				.where('replica', '=', replica)
				.where('url', 'in', urls)
				.execute();
		},
		async release(url: string) {
			await db
				.deleteFrom('image_downloads')
				.where('url', '=', url)
				.where('replica', '=', replica)
				.execute();
		},
	};
}
