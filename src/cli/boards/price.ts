// What the use of a board costs, in words.
/** Such as `2 credits a minute`; empty for a board that is free. */
export function priceOf(board: { creditsPerMinute?: number | null | undefined } = {}, before = '') {
	const { creditsPerMinute } = board;
	if (!creditsPerMinute) return '';
	const unit = creditsPerMinute === 1 ? 'credit' : 'credits';
	return `${before}${creditsPerMinute} ${unit} a minute`;
}
