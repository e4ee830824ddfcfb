// What each process notices of a lease without an announcement.
import { expect, test } from 'vitest';
import { leaseChange } from '../../src/announcements.ts';
import { reportAction, requestAction } from '../../src/leases/actions/commands.ts';
import { readLive, statesOf } from '../../src/leases/live.ts';
import { addAgent, unoBoards } from '../support/boards.ts';
import { databaseKinds } from '../support/databases.ts';
import { openLab, requestOf } from '../support/lab.ts';

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
			const actions = lab.query.selectFrom('lease_actions').select('id').orderBy('position');
			const actionId = (await actions.execute())[index]?.id ?? '';
			const action = { agentId, actionId, fence: 1, status, message: '' };
			await reportAction(lab.core, action);
			await expectNews();
		};
		const { id } = await user.lease({ board_type: 'uno', minutes: 5 });
		await expectNews();
		await report(0, 'running');
		await report(0, 'done');
		await report(1, 'done');
		const request = requestOf({ ids: { id }, input: { action: 'reset' } as const });
		await requestAction(lab.core, user.caller, request);
		await expectNews();
		await report(2, 'running');
		await report(2, 'done');
		await lab.close();
	},
);
