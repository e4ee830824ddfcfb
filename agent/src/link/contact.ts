// Whether the service was heard lately: it may have assigned the boards of a frozen agent to another one.

/** Shorter than the time after which the service assigns the boards to another agent. It sends a line every 5 seconds. */
export const maxSilence = 9_000;

/** Resolves when the agent may touch its boards. */
export type Permit = () => Promise<void>;

export class Contact {
	#heardAt = Number.NEGATIVE_INFINITY;
	#rejection: Error | undefined;
	#stopping: Error | undefined;
	#news = Promise.withResolvers<void>();

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

	stop(reason: Error): void {
		this.#stopping = reason;
		this.#wake();
	}

	/** Resolves when the service was heard lately. Rejects if another agent has the boards. */
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
