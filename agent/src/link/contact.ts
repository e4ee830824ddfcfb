// Whether the service was heard lately: it may have given the boards of a frozen agent to another one.

/**
 * The service sends an empty line at least every 5 seconds. It keeps the place of an agent for longer
 * after its last line, so that nobody else has the boards by then.
 */
export const longestSilence = 9_000;

/** Resolves when the agent may touch its boards. */
export type Permit = () => Promise<void>;

export class Contact {
	#heardAt = Number.NEGATIVE_INFINITY;
	/** Why the boards are not touched any more. */
	#refusal: Error | undefined;
	#stopping: Error | undefined;
	#news = Promise.withResolvers<void>();

	/** The service has sent something that it did not send before the agent was frozen. */
	heard(): void {
		this.#heardAt = performance.now();
		this.#refusal = undefined;
		this.#tell();
	}

	/** Another agent has the boards. */
	refused(reason: Error): void {
		this.#heardAt = Number.NEGATIVE_INFINITY;
		this.#refusal = reason;
		this.#tell();
	}

	/** From now on nothing waits for the service. */
	stop(reason: Error): void {
		this.#stopping = reason;
		this.#tell();
	}

	/** Waits until the service is heard, if it was silent. Rejects if it refuses the agent. */
	async confirmed(): Promise<void> {
		while (performance.now() - this.#heardAt > longestSilence) {
			const reason = this.#refusal ?? this.#stopping;
			if (reason) throw reason;
			await this.#news.promise;
		}
	}

	#tell() {
		this.#news.resolve();
		this.#news = Promise.withResolvers();
	}
}
