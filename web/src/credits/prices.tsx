// What a board costs, in words.
import { Credits } from '../elements/text.tsx';

export function price(creditsPerMinute: number) {
	if (creditsPerMinute === 0) return 'Free';
	return `${creditsPerMinute} ${creditsPerMinute === 1 ? 'credit' : 'credits'} a minute`;
}

interface OfferProps {
	/** Credits per minute. */
	rate: number;
	/** The credits that the visitor can spend; undefined if somebody else pays. */
	spendable: number | undefined;
}

/** Says that a board is available, its price, and whether the visitor can pay for a minute. */
export function Offer({ rate, spendable }: OfferProps) {
	if (rate === 0) return 'is available now, for free';
	const offer = `is available now, for ${price(rate)}`;
	if (spendable === undefined || spendable >= rate) return offer;
	return [offer, '; you have ', <Credits amount={spendable} />];
}
