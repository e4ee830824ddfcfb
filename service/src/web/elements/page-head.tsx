// The head of a page: its title, a line about it, and its main actions.
import type { Child } from 'hono/jsx';

export function PageHead({
	title,
	lead,
	children,
}: {
	title: Child;
	lead?: Child;
	children?: Child;
}) {
	return (
		<div class="page-head">
			<div>
				<h1>{title}</h1>
				{lead && <p class="lead">{lead}</p>}
			</div>
			{children && <div class="actions">{children}</div>}
		</div>
	);
}
