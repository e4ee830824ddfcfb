// The names under which changes of agents and consoles are told.

/** Told of when the connection of the agent or its boards are others. */
export function agentChange(id: string) {
	return `agent ${id}`;
}

/** Told of when the console of the lease has more output. */
export function consoleChange(leaseId: string) {
	return `console ${leaseId}`;
}
