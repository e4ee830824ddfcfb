// Which agent sent a request, by the token in the Authorization header only.
import { agentTokenPattern } from 'board-access-contract';
import { ApiError, type Core, findAgentByToken } from 'board-access-core';
import { callerAddress } from 'board-access-http/address';
import type { ServiceContext } from 'board-access-http/environment';
import type { Limits } from 'board-access-http/limits/rate-limits';
import { trustConnection } from 'board-access-http/server/connections';

export type AuthenticateAgent = (
	c: ServiceContext,
	/** Whether the request opens a connection, which stores the contact itself. */
	options?: { connects?: boolean },
) => Promise<string>;

/** Makes the function that returns the identifier of the agent that sent a request. */
export function createAuthenticateAgent(core: Core, limits: Limits): AuthenticateAgent {
	const { settings, database, contacts } = core;
	return async (c, { connects = false } = {}) => {
		const header = c.req.header('authorization') ?? '';
		const token = /^Bearer +(\S+) *$/i.exec(header)?.[1] ?? '';
		const agent = agentTokenPattern.test(token)
			? await findAgentByToken(database, token.toLowerCase())
			: undefined;
		if (!agent) {
			await limits.rejectedKey(callerAddress(c, settings));
			throw new ApiError('agent_token_invalid', 'A valid agent token is required.', {
				hint: 'Send Authorization: Bearer and then agt_ with 48 hexadecimal characters.',
			});
		}
		trustConnection(c);
		await limits.agent(agent.id);
		if (!connects) contacts.heard(agent.id);
		return agent.id;
	};
}
