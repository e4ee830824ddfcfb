// Where the processes of a measurement run: all clients on one core, in turns, so that none benefits from
// a core that happens to be idle, and the server on another.
import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

export const serverCore = 0;
export const clientCore = availableParallelism() - 1;

/** Without taskset, or with one core only, the system decides. */
export function pinTo(core: number) {
	if (clientCore !== serverCore) spawnSync('taskset', ['-apc', String(core), String(process.pid)]);
}
