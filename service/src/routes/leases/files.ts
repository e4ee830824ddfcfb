// /v1/leases/{lease_id}/files: firmware to flash, as raw bytes.

import { hash } from 'node:crypto';
import { fileQuery, maxFileSize } from 'board-access-contract';
import { admitUpload, readFirmware, repeatUpload, storeFirmware } from 'board-access-core';
import { authorizeLease } from 'board-access-http/authorize-lease';
import type { ServiceApp } from 'board-access-http/environment';
import { claimOf } from 'board-access-http/idempotency';
import { readQuery, readRaw } from 'board-access-http/read';
import { respondOnce } from 'board-access-http/respond';
import type { Parts } from '../../parts.ts';

export function leaseFileRoutes(app: ServiceApp, needs: Parts) {
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
			const claimFor = (sha256: string) => claimOf(c, { accountId, input: { ...query, sha256 } });
			if (stored) return repeatUpload(stored, claimFor(hash('sha256', data)));
			const content = await limits.readFirmware(accountId, () =>
				readFirmware(needs, lease.id, { data, raw: query.raw === 'true' }),
			);
			return storeFirmware(needs, owned, { data, ...content }, claimFor(content.sha256));
		});
		return respondOnce(c, file);
	});
}
