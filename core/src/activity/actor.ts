// Who makes the current change. Set once for each request or command, so that functions need not pass it on.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { ActivityRow } from '../database/schema.ts';

export interface Actor {
	via: ActivityRow['via'];
	accountId?: string | undefined;
	keyId?: string | undefined;
	sessionId?: string | undefined;
	address?: string | undefined;
	/** The account whose password or code was rejected. */
	namedId?: string | undefined;
}

const actors = new AsyncLocalStorage<Actor>();

export function asActor<Result>(actor: Actor, work: () => Result): Result {
	return actors.run({ ...actor }, work);
}

/** Records who sent the current request, once that is known. */
export function identify(known: Pick<Actor, 'accountId' | 'keyId' | 'sessionId'>) {
	const actor = actors.getStore();
	if (!actor) return;
	const via = known.keyId ? 'api_key' : 'session';
	Object.assign(actor, known, { via: actor.via === 'mcp' ? 'mcp' : via });
}

/** Records which account the visitor tried to log in to. */
export function nameAccount(namedId: string | null) {
	const actor = actors.getStore();
	if (actor && namedId) actor.namedId = namedId;
}

/** The actor of the current request or command; otherwise the service. */
export function currentActor(): Readonly<Actor> {
	return actors.getStore() ?? { via: 'service' };
}
