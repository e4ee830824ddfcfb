// A moment as people say it, with the exact one on hover.

const units = [
	['year', 365 * 24 * 60 * 60],
	['month', 30 * 24 * 60 * 60],
	['week', 7 * 24 * 60 * 60],
	['day', 24 * 60 * 60],
	['hour', 60 * 60],
	['minute', 60],
] as const;

const format = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** How long ago: "3 minutes ago", "yesterday". */
export function relativeTime(moment: string, now = Date.now()) {
	const seconds = Math.round((Date.parse(moment) - now) / 1000);
	const unit = units.find(([, length]) => Math.abs(seconds) >= length);
	return unit ? format.format(Math.trunc(seconds / unit[1]), unit[0]) : 'just now';
}

export function Time({ at }: { at: string | null }) {
	if (at === null) return <span class="muted">Never</span>;
	return (
		<time datetime={at} title={`${at.slice(0, 19).replace('T', ' ')} UTC`}>
			{relativeTime(at)}
		</time>
	);
}
