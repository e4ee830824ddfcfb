// Firmware to flash, as raw bytes: checked where it is stored before it is received.
import { maxFileSize } from 'board-access-contract';
import { admitUpload, uploadFirmware } from 'board-access-core';
import { authorizeLease } from 'board-access-http/authorize-lease';
import { claimOf } from 'board-access-http/idempotency';
import { readRaw } from 'board-access-http/read';
import { respondOnce } from 'board-access-http/respond';
import type { Services } from '../../services.ts';
import type { Answers } from '../serve.ts';

export function leaseFileAnswers(services: Services) {
	const { limits } = services;
	return {
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
	} satisfies Pick<Answers, 'uploadFile'>;
}
