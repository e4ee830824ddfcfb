// What each process notices of a lease without an announcement.
import { expect, test } from 'vitest';
import { leaseChange } from '../../../core/src/announcements.ts';
import { reportAction } from '../../../core/src/leases/actions/report.ts';
import { readLive, statesOf } from '../../../core/src/leases/live.ts';
import { addAgent, unoBoards } from '../../../core/test/support/boards.ts';
import { databaseKinds } from '../../../core/test/support/databases.ts';
import { openLab } from '../support/leasing.ts';

test.each(databaseKinds)(
	'every change of an action changes the state of its lease on %s',
	async (kind) => {
		const lab = await openLab(kind, { boards: unoBoards(1) });
		const user = await lab.account();
		const { id: agentId } = await addAgent(lab.query, ['brd_uno_1'], ['reset', 'power_cycle']);
		const states = new Set<string | undefined>();
		const expectNews = async () => {
			const state = statesOf(await readLive(lab.query)).get(leaseChange(id));
			expect(states).not.toContain(state);
			states.add(state);
		};
		const report = async (index: number, status: 'running' | 'done') => {
			const { data } = (await user.send('GET', `/leases/${id}/actions`)).body;
			const action = { agentId, actionId: data[index].id, fence: 1, status, message: '' };
			await reportAction(lab.parts, action);
			await expectNews();
		};
		const { id } = (await user.lease({ board_type: 'uno', minutes: 5 })).body;
		await expectNews();
		await report(0, 'running');
		await report(0, 'done');
		await report(1, 'done');
		const sent = await user.send('POST', `/leases/${id}/actions`, { body: { action: 'reset' } });
		expect(sent.status).toBe(202);
		await expectNews();
		await report(2, 'running');
		await report(2, 'done');
		await lab.close();
	},
);
