// Agents: the programs that drive boards, and their tokens.
import type { Listing } from '../http/list.ts';
import type { RequestOptions } from '../settings/settings.ts';

/** An agent without its token. Only `id` is always present. */
export interface Agent {
	/** Identifies the agent: `agt_…`. */
	readonly id: string;
	/** The display name. */
	readonly name?: string | null;
	/** The masked token, enough to tell it from others. */
	readonly hint?: string | null;
	/** Whether it is connected to the service. */
	readonly online?: boolean | null;
	/** The boards that it drives. */
	readonly boardIds?: readonly string[] | null;
	/** When it was created. */
	readonly createdAt?: string | null;
	/** When the service last heard from it. */
	readonly lastSeenAt?: string | null;
	/** When it was revoked. */
	readonly revokedAt?: string | null;
}

/** An agent with its new token. */
export interface CreatedAgent extends Agent {
	/** The token, returned only here. `console.log` masks it; `JSON.stringify` prints it. */
	readonly token: string;
}

/** The fields of an agent that can be changed; those left out stay. */
export interface AgentUpdate {
	/** The display name. */
	name?: string | undefined;
	/** All boards that it drives. */
	boardIds?: readonly string[] | undefined;
}

/** An agent to create. */
export interface AgentInput extends AgentUpdate {
	/** The display name. */
	name: string;
}

/** The agents of the service, for admins. */
export interface Agents {
	/**
	 * Lists the agents that are not revoked.
	 *
	 * @example
	 * ```ts
	 * const offline = (await client.admin.agents.list()).filter(({ online }) => !online);
	 * ```
	 */
	list(options?: RequestOptions): Listing<Agent>;

	/**
	 * Returns one agent.
	 *
	 * @example
	 * ```ts
	 * const { online, lastSeenAt } = await client.admin.agents.get(agent.id);
	 * ```
	 */
	get(id: string, options?: RequestOptions): Promise<Agent>;

	/**
	 * Creates an agent. Boards that another agent drives move to this one.
	 *
	 * @example
	 * ```ts
	 * const agent = await client.admin.agents.create({ name: 'Lab 1', boardIds: [board.id] });
	 * await store(agent.token); // returned only here
	 * ```
	 */
	create(agent: AgentInput, options?: RequestOptions): Promise<CreatedAgent>;

	/**
	 * Renames an agent, or changes the boards that it drives.
	 *
	 * @throws {@link ApiError} with the code `board_in_use` if a lease holds one of these boards.
	 *
	 * @example
	 * ```ts
	 * await client.admin.agents.update(agent.id, { boardIds: [board.id] });
	 * ```
	 */
	update(id: string, changes: AgentUpdate, options?: RequestOptions): Promise<Agent>;

	/**
	 * Replaces the token of an agent. The old one works until the agent has connected with the new one, for at most 24
	 * hours. Leases continue.
	 *
	 * @example
	 * ```ts
	 * const { token } = await client.admin.agents.rotateToken(agent.id);
	 * await store(token); // returned only here
	 * ```
	 */
	rotateToken(id: string, options?: RequestOptions): Promise<CreatedAgent>;

	/**
	 * Revokes an agent: its token stops working at once, and the leases of its boards end.
	 *
	 * @example
	 * ```ts
	 * await client.admin.agents.revoke(agent.id);
	 * ```
	 */
	revoke(id: string, options?: RequestOptions): Promise<Agent>;
}
