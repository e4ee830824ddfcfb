// /v1/leases/{lease_id}/pins: what drives the pins of a board from outside.
import { pinInput } from 'board-access-contract';
import {
	boardChange,
	drivePin,
	isInGrace,
	readDriven,
	startMinutes,
	timeIn,
} from 'board-access-core';
import type { ServiceApp } from '../../http/environment.ts';
import { changeOf, once } from '../../http/idempotency.ts';
import { noQuery, readBody, readQuery } from '../../http/read.ts';
import { replayedHeaders, respond } from '../../http/respond.ts';
import type { Parts } from '../../parts.ts';
import { authorizeLease } from './sharing.ts';

export function leasePinRoutes(app: ServiceApp, needs: Parts) {
	const { database, authenticate, limits, wake } = needs;
	app.post('/v1/leases/:id/pins', async (c) => {
		// As the input of the console: a slider sends many.
		const caller = await authenticate(c, { counted: false });
		const { accountId } = caller;
		readQuery(c, noQuery);
		await limits.consoleInput(accountId);
		const input = await readBody(c, pinInput);
		const { lease, owned } = await authorizeLease(c, database.query, caller, 'type');
		const { result, replayed } = await once(database, {
			...changeOf(c, { accountId, input }),
			create: (db) => drivePin(db, owned, input),
			replay: async (db, id) => ({ id, board_id: null, driven: await readDriven(db, lease) }),
		});
		if (isInGrace(lease, timeIn(database.query))) await startMinutes(needs, owned);
		if (result.board_id !== null) wake.announce(boardChange(result.board_id));
		const headers = replayed ? replayedHeaders : {};
		return respond(c, { driven: result.driven }, { headers });
	});
}
