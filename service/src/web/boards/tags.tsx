// The tags of a board, each a link to the boards that share it.
import { withQuery } from '../paths.ts';

export function Tags({ tags }: { tags: Record<string, string> }) {
	const entries = Object.entries(tags);
	if (entries.length === 0) return <span class="muted">–</span>;
	return (
		<ul class="tags">
			{entries.map(([name, value]) => (
				<li>
					<a
						class="plain"
						href={withQuery('/boards', { q: `${name}:${value}` })}
						aria-label={`Boards with ${name} ${value}`}
					>
						<bdi class="muted">{name}</bdi> <bdi>{value}</bdi>
					</a>
				</li>
			))}
		</ul>
	);
}
