// What the boards of each type cost, for the page about credits.
import type { Db } from '../database/schema.ts';

const keptMilliseconds = 60_000;

export interface BoardRate {
	board_type: string;
	/** Credits per minute of the cheapest and of the most expensive board of the type. */
	least: number;
	most: number;
}

/** Reads the rates at most once a minute, because this reads every board. */
export function createBoardRates(db: Db) {
	let known: { rates: Promise<BoardRate[]>; until: number } | undefined;
	return () => {
		if (!known || known.until < Date.now()) {
			known = { rates: readRates(db), until: Date.now() + keptMilliseconds };
			// An error is for those who wait now, and the next one asks again.
			known.rates.catch(() => (known = undefined));
		}
		return known.rates;
	};
}

async function readRates(db: Db): Promise<BoardRate[]> {
	const rows = await db
		.selectFrom('boards')
		.select(({ fn }) => [
			'board_type',
			fn.min('credits_per_minute').as('least'),
			fn.max('credits_per_minute').as('most'),
		])
		.groupBy('board_type')
		.orderBy('board_type')
		.execute();
	return rows.map(({ board_type, least, most }) => ({
		board_type,
		least: Number(least),
		most: Number(most),
	}));
}
