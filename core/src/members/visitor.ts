// Who sends a request, as far as that is known before the log-in.
import { deviceDays } from '../accounts/sessions/devices.ts';
import type { Settings } from '../env.ts';
import { linkMinutes } from './links.ts';

/** What a visitor holds. Of those that a command returns, each replaces the former one; an empty one ends it. */
export interface Tokens {
	session?: string | undefined;
	/** Shows from which device somebody logged in before. */
	device?: string | undefined;
	/** Shows between password and code that the password was right. */
	logIn?: string | undefined;
}

export interface Visitor {
	address: string;
	userAgent: string;
	tokens: Tokens;
}

/** For how many seconds each token works. */
export function tokenSeconds({ sessionMaxHours }: Pick<Settings, 'sessionMaxHours'>) {
	const hour = 60 * 60;
	return {
		session: sessionMaxHours * hour,
		device: deviceDays * 24 * hour,
		logIn: linkMinutes['log-in'] * 60,
	};
}
