// A lease and its actions, where a request can wait for a change.
import { readableLease, waitForAction, waitForLease } from 'board-access-core';
import { agentHeaders, authorizeLease } from 'board-access-http/authorize-lease';
import { respond } from 'board-access-http/respond';
import type { Services } from '../../services.ts';
import type { Answers } from '../serve.ts';

export function leaseAnswers(services: Services) {
	return {
		async getLease(c, caller, { query }) {
			const { lease, owned, access } = await authorizeLease(c, services, caller, 'look');
			const milliseconds = Number(query.wait ?? 0) * 1000;
			const { signal } = c.req.raw;
			const asked = { ...owned, status: query.status, milliseconds, signal };
			const found =
				milliseconds > 0 ? await caller.wait(() => waitForLease(services, asked)) : lease;
			return respond(c, await readableLease(services.database.query, found, access));
		},

		async getAction(c, caller, { ids, query }) {
			const { lease, seesColleagues } = await authorizeLease(c, services, caller, 'look');
			const wanted = { leaseId: lease.id, seesColleagues, actionId: ids.action_id };
			const milliseconds = Number(query.wait ?? 0) * 1000;
			const { signal } = c.req.raw;
			const read = () => waitForAction(services, wanted, { milliseconds, signal });
			const action = await (milliseconds > 0 ? caller.wait(read) : read());
			const headers = action.ended_at === null ? await agentHeaders(services, lease) : {};
			return respond(c, action, { headers });
		},
	} satisfies Pick<Answers, 'getLease' | 'getAction'>;
}
