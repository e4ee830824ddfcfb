// What follows from AGENT_TIMEOUT, in milliseconds.
import type { Database } from '../database/database.ts';
import type { Settings } from '../env.ts';

type AgentSettings = Pick<Settings, 'agentTimeout'>;

export function agentTimes({ agentTimeout }: AgentSettings) {
	const timeout = agentTimeout * 1000;
	return {
		/** An agent that is silent for longer is lost. It connects again after half of the setting, so that much is no silence. */
		lost: timeout * 1.5,
		/** For how long another agent with its token stays away, and how long its boards rest after its own failures. */
		rest: timeout,
		/** After this silence its stream ends, so that it connects again. */
		reconnect: timeout / 2,
		/** After this silence it is asked to make itself heard. */
		ask: timeout / 4,
		/** Between two lines of its stream. */
		pause: Math.min(4_000, timeout / 8),
		/** Between two times that contacts are stored and read. */
		contacts: Math.min(1_000, timeout / 20),
	};
}

/** Whether what agents and users had to send would have arrived: this process ran, and its database was reachable. */
export function hasListened({ clock }: Pick<Database, 'clock'>, settings: AgentSettings) {
	return clock.awakeFor() > settings.agentTimeout * 1000;
}
