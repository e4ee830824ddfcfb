// Work that is repeated while the service runs. Every second: the queue, ends of leases and silent agents (`leases/scheduler.ts`),
// contacts of agents, downloads of base images. Less often: last uses of keys, housekeeping.

/** Does work again and again, one run at a time; closing it waits for the run that is under way. */
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
