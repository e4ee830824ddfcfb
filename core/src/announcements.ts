// The names under which changes of leases, boards, agents and consoles are announced.

/** Announced when the status of the lease or of one of its actions changes. */
export function leaseChange(id: string) {
	return `lease ${id}`;
}

/** Announced when the work for the agent of the board changes. */
export function boardChange(id: string) {
	return `board ${id}`;
}

/** Announced when the connection or the boards of the agent change. */
export function agentChange(id: string) {
	return `agent ${id}`;
}

/** Announced when the console of the lease has more output. */
export function consoleChange(leaseId: string) {
	return `console ${leaseId}`;
}

/** Announced when the board of the lease has sent a sample of its pins. */
export function pinsChange(leaseId: string) {
	return `pins ${leaseId}`;
}

/** Announced when the camera of the board of the lease has a new picture. */
export function picturesChange(leaseId: string) {
	return `pictures ${leaseId}`;
}

export function boardOfChange(name: string) {
	return name.slice(boardChange('').length);
}
