// A lease and its actions, where a request can wait for a change, and firmware to flash.
import { maxFileSize } from 'board-access-contract';
import {
	admitUpload,
	readableLease,
	uploadFirmware,
	waitForAction,
	waitForLease,
} from 'board-access-core';
import { agentHeaders, authorizeLease } from 'board-access-http/authorize-lease';
import { claimOf } from 'board-access-http/idempotency';
import { readRaw } from 'board-access-http/read';
import { respond, respondOnce } from 'board-access-http/respond';
import type { Services } from '../../services.ts';
import type { Answers } from '../serve.ts';

export function leaseAnswers(services: Services) {
	const { limits } = services;
	return {
		async getLease(c, caller, { query: { wait, status } }) {
			const milliseconds = Number(wait ?? 0) * 1000;
			const { lease, owned, access } = await authorizeLease(c, services, caller, 'look');
			const asked = { ...owned, status, milliseconds, signal: c.req.raw.signal };
			const found =
				milliseconds > 0 ? await caller.wait(() => waitForLease(services, asked)) : lease;
			return respond(c, await readableLease(services.database.query, found, access));
		},

		async getAction(c, caller, { ids, query: { wait } }) {
			const milliseconds = Number(wait ?? 0) * 1000;
			const { lease, seesColleagues } = await authorizeLease(c, services, caller, 'look');
			const wanted = { leaseId: lease.id, seesColleagues, actionId: ids.action_id };
			const { signal } = c.req.raw;
			const read = () => waitForAction(services, wanted, { milliseconds, signal });
			const action = await (milliseconds > 0 ? caller.wait(read) : read());
			const headers = action.ended_at === null ? await agentHeaders(services, lease) : {};
			return respond(c, action, { headers });
		},

		/** Raw bytes, checked where they are stored before they are received. */
		async uploadFile(c, caller, { query }) {
			const { accountId } = caller;
			const { lease, owned } = await authorizeLease(c, services, caller, 'hold');
			const stored = await admitUpload(services, owned, c.req.header('idempotency-key'));
			// The many leases of an account that have ended share one limit.
			const limited = lease.status === 'ended' ? accountId : lease.id;
			const file = await limits.upload(limited, async () => {
				const data = await readRaw(c, maxFileSize);
				return uploadFirmware(services, owned, {
					data,
					raw: query.raw === 'true',
					stored,
					claimFor: (sha256) => claimOf(c, { accountId, input: { ...query, sha256 } }),
					inTurn: (read) => limits.readFirmware(accountId, read),
				});
			});
			return respondOnce(c, file);
		},
	} satisfies Pick<Answers, 'getLease' | 'getAction' | 'uploadFile'>;
}
