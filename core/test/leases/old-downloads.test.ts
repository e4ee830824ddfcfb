// Downloaded base images are kept while something needs them.
import { afterEach, describe, expect, test, vi } from 'vitest';
import { deleteImage, storeImage } from '../../src/base-images/store.ts';
import { keepDownload } from '../../src/leases/files/store.ts';
import { unoBoards } from '../support/boards.ts';
import { databaseKinds } from '../support/databases.ts';
import { openLab } from '../support/lab.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
	vi.useRealTimers();
	for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const hour = 60 * 60 * 1000;

describe.each(databaseKinds)('a download on %s', (kind) => {
	test('is deleted when no base image names it any more and no lease needs it', async () => {
		vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
		const lab = await openLab(kind, { boards: unoBoards(1) });
		cleanups.push(() => lab.close());
		const user = await lab.account();
		const { id } = await user.lease({ board_type: 'uno', minutes: 5 });
		const download = async (name: string) => {
			const url = `https://images.example.com/${name}.bin`;
			await keepDownload(lab.query, { url, data: Buffer.from(name) });
			return url;
		};
		const image = async (url: string, enabled: boolean, sha256?: string) =>
			(
				await storeImage(lab.query, {
					action: 'flash',
					board_type: 'uno',
					name: 'Application',
					description: '',
					url,
					flash_offset: '0x0',
					enabled,
					sha256,
				})
			).id;
		const [named, disabled, needed, unnamed] = await Promise.all(
			['named', 'disabled', 'needed', 'unnamed'].map(download),
		);
		const sha256 = 'a'.repeat(64);
		const checked = `https://images.example.com/checked.bin#sha256=${sha256}`;
		for (const url of [checked, checked.replace('aaa', 'bbb'), checked.split('#')[0] ?? '']) {
			await keepDownload(lab.query, { url, data: Buffer.from(url) });
		}
		await image(checked.split('#')[0] ?? '', true, sha256);
		const removed = await image(named ?? '', true);
		await image(disabled ?? '', false);
		const step = { phase: 'prepare', action: 'flash', status: 'queued', message: '' } as const;
		await lab.query
			.insertInto('lease_actions')
			.values({ ...step, id: 'act_1', lease_id: id, position: 0, url: needed, created_at: '' })
			.execute();
		const kept = async () =>
			(await lab.query.selectFrom('files').select('url').orderBy('url').execute()).map(
				({ url }) => url,
			);
		const expectKept = async (urls: (string | undefined)[]) => {
			vi.advanceTimersByTime(hour);
			await vi.waitFor(async () => expect(await kept()).toEqual(urls), { timeout: 20_000 });
		};
		expect(await kept()).toContain(unnamed);
		await expectKept([checked, disabled, named, needed]);
		await deleteImage(lab.query, removed);
		await user.release(id);
		await expectKept([checked, disabled]);
	});
});
