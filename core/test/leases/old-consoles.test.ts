import { expect, test } from 'vitest';
import { deleteOldConsoles } from '../../src/leases/console/store.ts';
import { unoBoards } from '../support/boards.ts';
import { databaseKinds } from '../support/databases.ts';
import { openLab } from '../support/lab.ts';

test.each(databaseKinds)(
	'only consoles of leases that ended long ago are deleted on %s',
	async (kind) => {
		const lab = await openLab(kind, { boards: unoBoards(3) });
		const user = await lab.account();
		const lease = async (ended_at: string | null) => {
			const { id } = await user.lease({ board_type: 'uno' });
			await lab.query.updateTable('leases').set({ ended_at }).where('id', '=', id).execute();
			return id;
		};
		const live = await lease(null);
		const recent = await lease('2030-01-02T00:00:00.000Z');
		const old = await lease('2029-12-31T23:59:59.999Z');
		const chunks = [live, recent, old, 'lse_deleted'].flatMap((lease_id) =>
			(['input', 'output'] as const).flatMap((direction) =>
				[0, 3].map((offset) => ({
					lease_id,
					direction,
					offset,
					data: Buffer.from('abc'),
					stored_at: 0,
				})),
			),
		);
		await lab.query.insertInto('console_chunks').values(chunks).execute();

		await deleteOldConsoles(lab.query, '2030-01-01T00:00:00.000Z');

		const kept = await lab.query.selectFrom('console_chunks').select('lease_id').execute();
		expect(kept.map(({ lease_id }) => lease_id).toSorted()).toEqual(
			[...Array(4).fill(live), ...Array(4).fill(recent)].toSorted(),
		);
		await lab.close();
	},
);
