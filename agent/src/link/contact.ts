// Whether the service was heard lately: it may have given the boards of a frozen agent to another one.

/**
 * The service sends an empty line at least every 5 seconds. Until longer after its last line, it gives
 * the boards of an agent to nobody else.
 */
export const maxSilence = 9_000;

/** Resolves when the agent may touch its boards. */
export type Permit = () => Promise<void>;

export class Contact {
	#heardAt = Number.NEGATIVE_INFINITY;
	/** Why the boards are not touched any more. */
	#rejection: Error | undefined;
	#stopping: Error | undefined;
	#news = Promise.withResolvers<void>();

	/** The service has sent something that it did not send before the agent was frozen. */
	heard(): void {
		this.#heardAt = performance.now();
		this.#rejection = undefined;
		this.#wake();
	}

	/** Another agent has the boards. */
	rejected(reason: Error): void {
		this.#heardAt = Number.NEGATIVE_INFINITY;
		this.#rejection = reason;
		this.#wake();
	}

	/** From now on nothing waits for the service. */
	stop(reason: Error): void {
		this.#stopping = reason;
		this.#wake();
	}

	/** Waits until the service is heard, if it was silent. Rejects if another agent has the boards. */
	async confirmed(): Promise<void> {
		while (performance.now() - this.#heardAt > maxSilence) {
			const reason = this.#rejection ?? this.#stopping;
			if (reason) throw reason;
			await this.#news.promise;
		}
	}

	#wake() {
		this.#news.resolve();
		this.#news = Promise.withResolvers();
	}
}
