// Counts those who wait for a change, from now on.
import type { Core } from 'board-access-core';

export function countWatchers({ wake }: Pick<Core, 'wake'>) {
	const { watch } = wake;
	let watchers = 0;
	wake.watch = (names) => {
		const watching = watch(names);
		watchers += 1;
		return {
			...watching,
			[Symbol.dispose]() {
				watchers -= 1;
				watching[Symbol.dispose]();
			},
		};
	};
	return () => watchers;
}
