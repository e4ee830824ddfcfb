// A text that somebody wrote: isolated, so that right-to-left letters in it do not reorder the page.

export function Name({ children }: { children: string }) {
	return <bdi>{children}</bdi>;
}

/** A name that stands out. */
export function StrongName({ text, struck }: { text: string; struck?: boolean }) {
	return (
		<strong class={struck ? 'struck' : undefined}>
			<Name>{text}</Name>
		</strong>
	);
}

/** A line below, where there is one. */
export function Note({ text }: { text: string | null }) {
	return text ? (
		<p class="muted small">
			<Name>{text}</Name>
		</p>
	) : null;
}

export function NameLink({ href, name }: { href: string; name: string }) {
	return (
		<a href={href}>
			<Name>{name}</Name>
		</a>
	);
}

/** The type of a board; a link to the boards of the type. */
export function TypeLink({ type, plain }: { type: string; plain?: boolean }) {
	return (
		<a
			class={plain ? 'plain' : undefined}
			href={`/boards?${new URLSearchParams({ board_type: type })}`}
		>
			<code dir="auto">{type}</code>
		</a>
	);
}
