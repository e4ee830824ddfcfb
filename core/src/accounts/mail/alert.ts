// Mails to the owner of an account about changes that an intruder could make.
import { currentActor } from '../../activity/actor.ts';
import type { Core } from '../../core.ts';
import { timeIn } from '../../database/clock.ts';
import { verifiedAddress } from '../store.ts';
import { type Alert, alertMessage } from './messages.ts';

/** To be called after the change. It neither delays nor fails the request. */
export function alertOwner(
	{ database: { query }, mail, settings: { webUrl } }: Core,
	accountId: string,
	alert: Alert & { byAdministrator?: boolean; to?: string },
) {
	const { byAdministrator = false, to } = alert;
	// The owner must not see an administrator's address.
	const address = byAdministrator ? undefined : currentActor().address;
	const circumstances = { at: timeIn(query), address, byAdministrator, webUrl };
	mail?.send(async () => {
		const account = await verifiedAddress(query, accountId);
		return account && alertMessage(to ?? account.email, alert, circumstances);
	});
}
