// Tells the owner of an account by mail what somebody with the account could do against them.
import type { Kysely } from 'kysely';
import { currentActor } from '../../activity/actor.ts';
import type { Schema } from '../../database/schema.ts';
import { now } from '../../database/time.ts';
import type { Settings } from '../../env.ts';
import type { Mail } from './mail.ts';
import {
	type Circumstances,
	newDeviceMessage,
	newKeyMessage,
	newPasswordMessage,
	type TwoFactorChange,
	twoFactorMessage,
} from './messages.ts';

/** Each is called after the change; it neither delays nor fails the request. */
export interface Alerts {
	newKey(accountId: string, key: { label: string | null; hint: string }): void;
	newPassword(accountId: string): void;
	twoFactor(accountId: string, change: TwoFactorChange, byAdministrator?: boolean): void;
	/** A log-in from a device that has not logged in to the account before. */
	newDevice(accountId: string, userAgent: string): void;
}

export function createAlerts({
	query,
	mail,
	settings: { webUrl },
}: {
	query: Kysely<Schema>;
	mail: Mail | undefined;
	settings: Pick<Settings, 'webUrl'>;
}): Alerts {
	const alert = (accountId: string, write: Write, byAdministrator = false) => {
		// The owner must not see an administrator's address.
		const address = byAdministrator ? undefined : currentActor().address;
		const circumstances = { at: now(), address, byAdministrator, webUrl };
		mail?.send(async () => {
			const to = await verifiedAddress(query, accountId);
			return to ? write(to, circumstances) : undefined;
		});
	};
	return {
		newKey: (accountId, key) =>
			alert(accountId, (to, circumstances) => newKeyMessage(to, key, circumstances)),
		newPassword: (accountId) => alert(accountId, newPasswordMessage),
		twoFactor: (accountId, change, byAdministrator) =>
			alert(
				accountId,
				(to, circumstances) => twoFactorMessage(to, change, circumstances),
				byAdministrator,
			),
		newDevice: (accountId, userAgent) =>
			alert(accountId, (to, circumstances) => newDeviceMessage(to, userAgent, circumstances)),
	};
}

type Write = (to: string, circumstances: Circumstances) => ReturnType<typeof newPasswordMessage>;

/** No mail goes to people about an account that somebody else created with their address. */
async function verifiedAddress(query: Kysely<Schema>, id: string) {
	const account = await query
		.selectFrom('accounts')
		.select('email')
		.where('id', '=', id)
		.where('verified_at', 'is not', null)
		.where('disabled_at', 'is', null)
		.executeTakeFirst();
	return account?.email;
}
