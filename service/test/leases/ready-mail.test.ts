// The mail about a board that is ready, as the databases decide who sends it.
import { afterEach, describe, expect, test } from 'vitest';
import type { Mail } from '../../src/accounts/mail/mail.ts';
import { readLive } from '../../src/leases/live.ts';
import { chooseReadyMail, sendReadyMails } from '../../src/leases/queue/ready-mail.ts';
import { databaseKinds } from '../support/databases.ts';
import { type Lab, openLab, unoBoards } from '../support/leasing.ts';

let lab: Lab;
afterEach(() => lab.close());

describe.each(databaseKinds)('on %s', (kind) => {
	test('two replicas that find a lease ready send one mail', async () => {
		lab = await openLab(kind, { boards: unoBoards(1) });
		const [holder, user] = [await lab.account(), await lab.account()];
		const held = await holder.lease({ board_type: 'uno', minutes: 5 });
		const { body } = await user.lease({ board_type: 'uno', minutes: 5, wait_seconds: 3600 });
		await chooseReadyMail(lab.query, { accountId: user.id, id: body.id }, true);
		const sent: unknown[] = [];
		const mail: Mail = { send: (write) => void sent.push(write()), close: async () => {} };
		const parts = { ...lab.parts, mail };

		await sendReadyMails(parts, await readLive(lab.query));
		expect(sent).toHaveLength(0);
		await holder.release(held.body.id);
		await expect
			.poll(async () => (await user.send('GET', `/leases/${body.id}`)).body.status)
			.toBe('active');
		const live = await readLive(lab.query);
		await Promise.all([sendReadyMails(parts, live), sendReadyMails(parts, live)]);
		expect(sent).toHaveLength(1);
		// Nobody has verified the address of the account.
		expect(await sent[0]).toBeUndefined();
	});
});
