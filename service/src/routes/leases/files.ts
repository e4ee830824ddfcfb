// /v1/leases/{lease_id}/files: firmware to flash, as raw bytes.
import { fileQuery, maxFileSize } from 'board-access-contract';
import { admitUpload, uploadFirmware } from 'board-access-core';
import { authorizeLease } from 'board-access-http/authorize-lease';
import type { ServiceApp } from 'board-access-http/environment';
import { claimOf } from 'board-access-http/idempotency';
import { readQuery, readRaw } from 'board-access-http/read';
import { respondOnce } from 'board-access-http/respond';
import type { Services } from '../../services.ts';

export function leaseFileRoutes(app: ServiceApp, needs: Services) {
	const { authenticate, limits } = needs;
	app.post('/v1/leases/:id/files', async (c) => {
		const caller = await authenticate(c);
		const { accountId } = caller;
		const query = readQuery(c, fileQuery);
		const { lease, owned } = await authorizeLease(c, needs, caller, 'hold');
		const stored = await admitUpload(needs, owned, c.req.header('idempotency-key'));
		// The many leases of an account that have ended share one limit.
		const limited = lease.status === 'ended' ? accountId : lease.id;
		const file = await limits.upload(limited, async () => {
			const data = await readRaw(c, maxFileSize);
			return uploadFirmware(needs, owned, {
				data,
				raw: query.raw === 'true',
				stored,
				claimFor: (sha256) => claimOf(c, { accountId, input: { ...query, sha256 } }),
				inTurn: (read) => limits.readFirmware(accountId, read),
			});
		});
		return respondOnce(c, file);
	});
}
