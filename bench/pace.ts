// How long each part takes.

export const thorough = {
	// Many short turns, so that a slow moment of the machine hits every client, and moves no median. With
	// half as many that are twice as long, the quarters lay twice as far apart.
	client: { rounds: 9, turns: 24, milliseconds: 15, warmUp: 700 },
	service: {
		rounds: 9,
		seconds: 1.2,
		keys: [1_000, 1_000_000, 10_000_000],
		boards: [20, 100_000, 1_000_000],
		/** Requests of a round that each follow a change. */
		misses: 300,
		pageRounds: 2,
		logIns: 15,
	},
	leases: { rounds: 15, keys: 100, requests: 150, restMilliseconds: 5_000 },
};

export type Pace = typeof thorough;

/** For a check that everything works; its figures mean little. */
export const quick: Pace = {
	client: { rounds: 1, turns: 1, milliseconds: 20, warmUp: 40 },
	service: {
		rounds: 1,
		seconds: 0.5,
		keys: [20, 1000],
		boards: [20, 2000],
		misses: 50,
		pageRounds: 1,
		logIns: 3,
	},
	leases: { rounds: 2, keys: 5, requests: 10, restMilliseconds: 1_000 },
};
