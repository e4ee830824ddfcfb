// The names under which changes are announced.

/** The status of the lease, or of one of its actions. */
export const leaseChange = (id: string) => `lease ${id}`;

/** The work of the agent for the board. */
export const boardChange = (id: string) => `board ${id}`;

/** The connection or the boards of the agent. */
export const agentChange = (id: string) => `agent ${id}`;

/** New output on the console of the lease. */
export const consoleChange = (leaseId: string) => `console ${leaseId}`;

/** A new sample of the pins of the board. */
export const pinsChange = (leaseId: string) => `pins ${leaseId}`;

export const boardOfChange = (name: string) => name.slice(boardChange('').length);
