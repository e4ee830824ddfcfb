// Which agent sent a request, by the token in the Authorization header only.
import { agentTokenPattern } from 'board-access-contract';
import { timestamp } from '../database/clock.ts';
import type { Database } from '../database/database.ts';
import type { AgentRow } from '../database/schema.ts';
import type { Settings } from '../env.ts';
import { ApiError } from '../errors.ts';
import { callerAddress } from '../http/address.ts';
import type { ServiceContext } from '../http/environment.ts';
import type { Limits } from '../http/limits/rate-limits.ts';
import { trustConnection } from '../http/server/connections.ts';
import { hashKey } from '../keys/secret.ts';
import type { Contacts } from './contacts.ts';
import { createAgentLookup } from './store.ts';

export type AuthenticateAgent = (
	c: ServiceContext,
	/** What the request is for, beside its work: it stores the contact itself, or is for nothing else. */
	purpose?: 'connection' | 'contact',
) => Promise<string>;

interface Needs {
	settings: Settings;
	database: Database;
	limits: Limits;
	contacts: Contacts;
}

const never = timestamp(0);

/** Makes the function that returns the identifier of the agent that sent a request. */
export function createAuthenticateAgent(needs: Needs): AuthenticateAgent {
	const { settings, database, limits, contacts } = needs;
	const findAgent = createAgentLookup(database);
	/** A contact is stored ten times within the time after which an agent counts as silent. */
	const isDue = ({ last_seen_at }: Pick<AgentRow, 'last_seen_at'>) =>
		database.clock.now() - Date.parse(last_seen_at ?? never) >= settings.agentTimeout * 100;
	return async (c, purpose) => {
		const header = c.req.header('authorization') ?? '';
		const token = /^Bearer +(\S+) *$/i.exec(header)?.[1] ?? '';
		const hash = agentTokenPattern.test(token) ? hashKey(token.toLowerCase()) : undefined;
		const heard = hash && purpose === 'contact' ? await contacts.heard(hash) : undefined;
		const agent = heard ?? (hash && (await findAgent(hash)));
		if (!agent) {
			await limits.rejectedKey(callerAddress(c, settings));
			throw new ApiError('agent_token_invalid', 'A valid agent token is required.', {
				hint: 'Send Authorization: Bearer and then agt_ with 48 hexadecimal characters.',
			});
		}
		trustConnection(c);
		await limits.agent(agent.id);
		if (!heard && purpose !== 'connection' && isDue(agent)) {
			contacts.heard(agent.hash).catch(() => {});
		}
		return agent.id;
	};
}
