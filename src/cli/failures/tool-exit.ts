// The end of a command that `board-access forward` has run.

export class ToolExit extends Error {
	readonly exitCode: number;

	constructor(exitCode: number) {
		super(`The command exited with ${exitCode}`);
		this.exitCode = exitCode;
	}
}
