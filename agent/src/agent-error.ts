/** The agent itself has failed, not the board: its disk is full, say, or a download failed. */
export class AgentError extends Error {
	override readonly name = 'AgentError';
}

/** What fails in this work is no failure of the board. */
export async function asAgent<Result>(
	failure: string,
	work: () => Promise<Result>,
): Promise<Result> {
	try {
		return await work();
	} catch (cause) {
		throw new AgentError(failure, { cause });
	}
}
