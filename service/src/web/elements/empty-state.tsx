// A list with nothing in it, and what to do about that.
import type { Child } from 'hono/jsx';
import { Icon, type IconName } from './icon.tsx';

export function EmptyState({
	icon,
	title,
	children,
}: {
	icon: IconName;
	title: string;
	children: Child;
}) {
	return (
		<section class="empty">
			<Icon name={icon} />
			<h2>{title}</h2>
			{children}
		</section>
	);
}
