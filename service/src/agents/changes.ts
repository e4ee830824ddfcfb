// The names under which changes of agents and consoles are announced.

/** Announced when the connection or the boards of the agent change. */
export function agentChange(id: string) {
	return `agent ${id}`;
}

/** Announced when the console of the lease has more output. */
export function consoleChange(leaseId: string) {
	return `console ${leaseId}`;
}
