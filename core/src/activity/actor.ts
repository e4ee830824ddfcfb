// Who makes the change that is under way. It is set once for each request or command, so that a
// change deep in a store can be recorded without every function in between passing it on.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { ActivityRow } from '../database/schema.ts';

export interface Actor {
	via: ActivityRow['via'];
	accountId?: string | undefined;
	keyId?: string | undefined;
	sessionId?: string | undefined;
	address?: string | undefined;
	/** The account whose password or code was entered, and rejected. */
	namedId?: string | undefined;
}

const actors = new AsyncLocalStorage<Actor>();

export function asActor<Result>(actor: Actor, work: () => Result): Result {
	return actors.run({ ...actor }, work);
}

/** Records who sent the current request, once that is known. */
export function identify(known: Pick<Actor, 'accountId' | 'keyId' | 'sessionId'>) {
	const actor = actors.getStore();
	if (actor) Object.assign(actor, known, { via: known.keyId ? 'api_key' : 'session' });
}

/** Records which account the visitor of the present request tried to log in to. */
export function nameAccount(namedId: string | null) {
	const actor = actors.getStore();
	if (actor && namedId) actor.namedId = namedId;
}

/** The actor of the present request or command; outside of them, the service itself. */
export function currentActor(): Readonly<Actor> {
	return actors.getStore() ?? { via: 'service' };
}
