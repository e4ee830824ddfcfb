// What an operator is promised who drains or stops an agent.
import type { Process } from '../simulation.ts';

interface Context {
	violated(rule: string, what: string): void;
	agentOf(board: string): string;
	/** The boards that are available, or in a lease. */
	usedBoards(): { board: string; state: string }[];
	/** Whether the database has forgotten what was told. */
	hasRestored(): boolean;
}

const nameOf = ({ name }: Process) => name.replace('-twin', '');

export class Operated {
	readonly #context: Context;
	readonly #draining = new Set<Process>();
	/** The requests with which draining agents connect. */
	readonly #said = new Set<string>();
	readonly #drained = new Map<string, Process>();
	readonly #stopped = new Map<string, Process>();

	constructor(context: Context) {
		this.#context = context;
	}

	drains(agent: Process) {
		this.#draining.add(agent);
	}

	/** An agent asks to be connected: boards of another start of it may become available. */
	connects(request: string, agent: Process, body: unknown) {
		const name = nameOf(agent);
		for (const known of [this.#drained, this.#stopped])
			if (known.get(name) !== agent) known.delete(name);
		const { boards }: { boards: Record<string, { draining?: boolean }> } = JSON.parse(String(body));
		const isDraining = Object.values(boards).every(({ draining }) => draining);
		if (this.#draining.has(agent) && isDraining) this.#said.add(request);
		// One that was sent before arrives late.
		else this.#drained.delete(name);
	}

	/** The service has let it in. */
	connected(request: string, agent: Process) {
		if (this.#said.has(request)) this.#drained.set(nameOf(agent), agent);
	}

	/** The service has confirmed that it stops. */
	stopped(agent: Process) {
		const name = nameOf(agent);
		this.#stopped.set(name, agent);
		const { usedBoards, agentOf } = this.#context;
		for (const { board, state } of usedBoards())
			if (agentOf(board) === name) this.boardIs(board, state);
	}

	/** A board is available, or a lease has it. */
	boardIs(board: string, state: string) {
		if (!this.#stopped.has(this.#context.agentOf(board)) || this.#context.hasRestored()) return;
		this.#context.violated('an announced stop is the end', `${board} is ${state}`);
	}

	granted(board: string, lease: string) {
		if (!this.#drained.has(this.#context.agentOf(board)) || this.#context.hasRestored()) return;
		this.#context.violated('a drained agent gets no lease', `${lease} gets ${board}`);
	}
}
