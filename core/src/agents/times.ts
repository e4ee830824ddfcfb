// The times that follow from AGENT_TIMEOUT, in milliseconds.
import type { Database } from '../database/database.ts';
import type { Settings } from '../env.ts';

type AgentSettings = Pick<Settings, 'agentTimeout'>;

export function agentTimes({ agentTimeout }: AgentSettings) {
	const timeout = agentTimeout * 1000;
	return {
		/** An agent that is silent for longer is lost. Half of the setting is for connecting again. */
		lost: timeout * 1.5,
		/** For how long another agent with its token is rejected, and its boards rest after a failure of the agent. */
		rest: timeout,
		/** After this silence, its stream ends, so that it connects again. */
		reconnect: timeout / 2,
		/** After this silence, it is asked to send a request. */
		ask: timeout / 4,
		/** Between two lines of its stream. */
		pause: Math.min(4_000, timeout / 8),
		contacts: Math.min(1_000, timeout / 20),
	};
}

/** Whether requests would have arrived: this process ran for long enough, and reached its database. */
export function hasListened({ clock }: Pick<Database, 'clock'>, settings: AgentSettings) {
	return clock.awakeFor() > settings.agentTimeout * 1000;
}
