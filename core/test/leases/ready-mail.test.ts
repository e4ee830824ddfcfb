// The mail about a board that is ready, as the databases decide who sends it.
import { afterEach, describe, expect, test } from 'vitest';
import type { Mail } from '../../src/accounts/mail/mail.ts';
import { timeIn } from '../../src/database/clock.ts';
import { readLive } from '../../src/leases/live.ts';
import { chooseReadyMail, sendReadyMails } from '../../src/leases/queue/ready-mail.ts';
import { unoBoards } from '../support/boards.ts';
import { databaseKinds } from '../support/databases.ts';
import { type Lab, openLab } from '../support/lab.ts';

let lab: Lab;
afterEach(() => lab.close());

describe.each(databaseKinds)('on %s', (kind) => {
	/** An account that waits for a board which another one has. */
	async function openWaiting() {
		lab = await openLab(kind, { boards: unoBoards(1) });
		const [holder, user] = [await lab.account(), await lab.account()];
		const held = await holder.lease({ board_type: 'uno', minutes: 5 });
		const { id } = await user.lease({ board_type: 'uno', minutes: 5, wait_seconds: 3600 });
		const sent: unknown[] = [];
		const mail: Mail = { send: (write) => void sent.push(write()), close: async () => {} };
		const parts = { ...lab.core, mail };
		const grant = async () => {
			await holder.release(held.id);
			await expect.poll(async () => (await user.read(id)).status).toBe('active');
		};
		return { holder, user, id, sent, parts, grant };
	}

	test('two replicas that find a lease ready send one mail', async () => {
		const { user, id, sent, parts, grant } = await openWaiting();
		await chooseReadyMail(lab.query, { accountId: user.id, id }, true);
		await sendReadyMails(parts, await readLive(lab.query));
		expect(sent).toHaveLength(0);
		await grant();
		const live = await readLive(lab.query);
		await Promise.all([sendReadyMails(parts, live), sendReadyMails(parts, live)]);
		expect(sent).toHaveLength(1);
		// Nobody has verified the address of the account.
		expect(await sent[0]).toBeUndefined();
	});

	test('the mail goes to the verified address of the holder, with the page of the lease', async () => {
		const { user, id, sent, parts, grant } = await openWaiting();
		const own = lab.query.updateTable('accounts').where('id', '=', user.id);
		await own.set({ email: 'ada@example.com', verified_at: timeIn(lab.query) }).execute();
		await chooseReadyMail(lab.query, { accountId: user.id, id }, true);
		await grant();
		await sendReadyMails(parts, await readLive(lab.query));
		expect(await Promise.all(sent)).toMatchObject([
			{ to: 'ada@example.com', text: expect.stringContaining(`/leases/${id}\n`) },
		]);
	});

	test('only the holder chooses it, and only while the lease waits', async () => {
		const { holder, user, id, sent, parts, grant } = await openWaiting();
		const own = { accountId: user.id, id };
		await chooseReadyMail(lab.query, own, true);
		await chooseReadyMail(lab.query, own, false);
		await chooseReadyMail(lab.query, { accountId: holder.id, id }, true);
		await grant();
		await chooseReadyMail(lab.query, own, true);
		await sendReadyMails(parts, await readLive(lab.query));
		expect(sent).toEqual([]);
	});
});
