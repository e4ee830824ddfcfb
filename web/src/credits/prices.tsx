// What credits buy: minutes on the boards of each type, and on one board.
import type { listBoardRates } from 'board-access-core';
import { Table } from '../elements/list.tsx';
import { Credits, NameLink } from '../elements/text.tsx';
import { withQuery } from '../paths.ts';

/** What the boards of a type cost. */
export type BoardRate = Awaited<ReturnType<typeof listBoardRates>>[number];

const example = 100;
const maxTypes = 30;

export function prices(rates: BoardRate[]) {
	return (
		<section>
			<h2>What credits buy</h2>
			<p>
				Credits buy minutes on boards. A lease costs the rate of its board for each started minute
				in which you have the board. Waiting, preparing, flashing, the console and resets cost
				nothing more, however often you use them. Credits are held when a lease begins and booked
				when it ends.
			</p>
			{rates.length > 0 && (
				<Table
					caption="Rates of the board types"
					rows={rates.slice(0, maxTypes)}
					columns={[
						{ label: 'Board type', cell: TypeCell, class: 'main-cell' },
						{ label: 'Credits per minute', cell: rateText },
						{ label: `${example} credits last`, cell: durationText, class: 'end' },
					]}
				/>
			)}
			{rates.length > maxTypes && (
				<p class="muted small">
					{`The first ${maxTypes} of ${rates.length} types. `}
					Each board shows its rate on <a href="/boards">its page</a>.
				</p>
			)}
		</section>
	);
}

export function price(creditsPerMinute: number) {
	if (creditsPerMinute === 0) return 'Free';
	return `${creditsPerMinute} ${creditsPerMinute === 1 ? 'credit' : 'credits'} a minute`;
}

interface OfferProps {
	/** Credits per minute. */
	rate: number;
	/** The credits that the visitor can spend; undefined for whoever would not pay. */
	spendable: number | undefined;
}

/** That a board is available, what it costs, and whether the visitor can pay for a minute of it. */
export function Offer({ rate, spendable }: OfferProps) {
	if (rate === 0) return 'is available now, for free';
	return (
		<>
			is available now, for {price(rate)}
			{spendable !== undefined && spendable < rate && (
				<>
					; you have <Credits amount={spendable} />
				</>
			)}
		</>
	);
}

function TypeCell({ board_type }: BoardRate) {
	return <NameLink href={withQuery('/boards', { board_type })} name={board_type} />;
}

function rateText({ least, most }: BoardRate) {
	if (most === 0) return 'Free';
	return least === most ? String(most) : `${least}–${most}`;
}

/** On the most expensive board of the type, so that it is never less than it says. */
function durationText({ most }: BoardRate) {
	if (most === 0) return '–';
	const minutes = Math.floor(example / most);
	return `${minutes.toLocaleString('en')} ${minutes === 1 ? 'minute' : 'minutes'}`;
}
