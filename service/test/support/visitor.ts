// A browser as the core sees it, its address and its tokens, and the accounts that it logs in to.
import type { Core } from '../../../core/src/core.ts';
import { createLog } from '../../../core/src/log.ts';
import { createAttempts } from '../../../core/src/members/attempts.ts';
import * as logIns from '../../../core/src/members/log-in.ts';
import * as passwords from '../../../core/src/members/password.ts';
import { confirmMember, turnOnTwoFactor } from '../../../core/src/members/proof.ts';
import type { Tokens, Visitor } from '../../../core/src/members/visitor.ts';

export class Browser implements Visitor {
	address = '192.0.2.1';
	userAgent = 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0';
	tokens: Tokens = {};

	constructor(address?: string, tokens: Tokens = {}) {
		if (address) this.address = address;
		this.keep(tokens);
	}

	/** Keeps tokens, as a browser does with cookies. */
	keep(tokens: Tokens) {
		this.tokens = { ...this.tokens, ...tokens };
		return this;
	}

	/** Another browser with only this token. */
	stolen(kind: keyof Tokens) {
		return new Browser('203.0.113.66', { [kind]: this.tokens[kind] });
	}

	forget(kind: keyof Tokens) {
		return this.keep({ [kind]: undefined });
	}
}

export type Accounts = ReturnType<typeof accountsOn>;

/** The commands of accounts, with limits of their own. */
export function accountsOn(given: Pick<Core, 'database' | 'settings'> & Partial<Core>) {
	const { database, settings } = given;
	const parts = { log: createLog('silent'), mail: undefined, dispatch: async () => {}, ...given };
	// They need no more of it.
	const core = { ...parts, attempts: createAttempts(database, settings) } as Core;
	return {
		core,
		current: ({ tokens }: Visitor) => logIns.currentMember(core, tokens),
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
