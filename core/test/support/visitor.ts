// A browser as the core sees it, its address and its tokens, and the accounts that it logs in to.
import { currentMember } from '../../src/accounts/sessions/sessions.ts';
import type { Core } from '../../src/core.ts';
import type { Database } from '../../src/database/database.ts';
import { settingsFrom } from '../../src/env.ts';
import { createLog } from '../../src/log.ts';
import { createAttempts } from '../../src/members/attempts.ts';
import * as logIns from '../../src/members/log-in.ts';
import * as passwords from '../../src/members/password.ts';
import {
	confirmMember,
	type Tokens,
	turnOnTwoFactor,
	type Visitor,
} from '../../src/members/proof.ts';

export class Browser implements Visitor {
	address = '192.0.2.1';
	userAgent = 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0';
	tokens: Tokens = {};

	constructor(address?: string, tokens: Tokens = {}) {
		if (address) this.address = address;
		this.keep(tokens);
	}

	/** Keeps tokens, as a browser does with cookies. */
	keep({ session, device, logIn }: Tokens) {
		const former = this.tokens;
		this.tokens = {
			session: session ?? former.session,
			device: device ?? former.device,
			logIn: logIn ?? former.logIn,
		};
		return this;
	}

	/** Another browser with only this token. */
	stolen(kind: keyof Tokens) {
		return new Browser('203.0.113.66', { [kind]: this.tokens[kind] });
	}

	forget(kind: keyof Tokens) {
		return this.keep({ [kind]: '' });
	}
}

export type Accounts = ReturnType<typeof accountsOn>;

/** As much of a core as the commands of accounts need. */
export function coreOn(
	database: Database,
	{ settings = settingsFrom({}), ...given }: Partial<Core> = {},
) {
	const parts = { log: createLog('silent'), mail: undefined, dispatch: async () => {} };
	const attempts = createAttempts(database, settings);
	// They use nothing else of it.
	return { database, settings, ...parts, ...given, attempts } as Core;
}

/** The commands of accounts, with limits of their own. */
export function accountsOn({ database, ...given }: Pick<Core, 'database'> & Partial<Core>) {
	const core = coreOn(database, given);
	return {
		core,
		current: ({ tokens }: Visitor) => currentMember(core, tokens),
		signUp: logIns.signUp.bind(null, core),
		logIn: logIns.logIn.bind(null, core),
		awaitsCode: logIns.awaitsCode.bind(null, core),
		enterCode: logIns.enterCode.bind(null, core),
		logOut: logIns.logOut.bind(null, core),
		confirm: confirmMember.bind(null, core),
		changePassword: passwords.changePassword.bind(null, core),
		choosePassword: passwords.choosePassword.bind(null, core),
		enableTwoFactor: turnOnTwoFactor.bind(null, core),
	};
}
