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
	leases: {
		size: { boards: 100_000, agents: 500, accounts: 2_300 },
		rounds: 5,
		seconds: 6,
		restSeconds: 4,
		/** Leases that are renewed, and boards that print. */
		live: 400,
		printing: { few: 100, many: 500 },
		/** Requests in a queue, and boards that are released one after the other. */
		waiting: 10_000,
		releases: 100,
		keys: 100,
		flashes: 15,
		settleSeconds: 10,
		idleSeconds: 30,
		waits: 500,
		leases: 10_000,
		loadSeconds: 20,
		floodingBoards: 8,
	},
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
	leases: {
		size: { boards: 2_000, agents: 10, accounts: 60 },
		rounds: 1,
		seconds: 1,
		restSeconds: 1,
		live: 50,
		printing: { few: 20, many: 50 },
		waiting: 100,
		releases: 10,
		keys: 10,
		flashes: 3,
		settleSeconds: 2,
		idleSeconds: 5,
		waits: 50,
		leases: 200,
		loadSeconds: 4,
		floodingBoards: 2,
	},
};
