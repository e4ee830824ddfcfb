/** Repeats work at this interval, one run at a time. Closing waits for the current run. */
export function every(
	milliseconds: number,
	work: () => Promise<unknown>,
	onError: (error: unknown) => void,
) {
	let running: Promise<unknown> | undefined;
	const timer = setInterval(() => {
		running ??= work()
			.catch(onError)
			.finally(() => {
				running = undefined;
			});
	}, milliseconds).unref();
	return {
		async close() {
			clearInterval(timer);
			await running;
		},
	};
}
