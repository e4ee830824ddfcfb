// How many rows match a search, for people who do not see them appear.

interface MatchesProps {
	total: number;
	/** What a row is, in the singular. */
	noun: string;
}

export function Matches({ total, noun }: MatchesProps) {
	const what = total === 1 ? `${noun} matches` : `${noun}s match`;
	return <output class="unseen">{`${total.toLocaleString('en')} ${what}`}</output>;
}
