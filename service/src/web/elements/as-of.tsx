// When a list was read, and a link that reads it again.

export function AsOf({ at, href }: { at: string; href: string }) {
	return (
		<p class="as-of muted small">
			<span data-live-message>
				As of{' '}
				<time datetime={at} data-clock>
					{`${at.slice(11, 19)} UTC`}
				</time>
			</span>{' '}
			<a href={href}>Refresh</a>
		</p>
	);
}
