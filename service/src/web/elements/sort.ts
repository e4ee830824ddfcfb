// The order of a table as its address tells it: `name`, or `-name` for the other way round.

export interface Sort<Name extends string> {
	by: Name;
	descending: boolean;
}

/** What the address asks for, or the first of the names if it asks for nothing known. */
export function readSort<Name extends string>(
	text: string | undefined,
	names: readonly [Name, ...Name[]],
): Sort<Name> {
	const by = names.find((name) => name === text?.replace(/^-/, ''));
	return { by: by ?? names[0], descending: by !== undefined && text?.startsWith('-') === true };
}

/** How an address asks for it; the first of the names need not be asked for. */
export function sortText<Name extends string>(
	{ by, descending }: Sort<Name>,
	names: readonly [Name, ...Name[]],
) {
	return by === names[0] && !descending ? undefined : `${descending ? '-' : ''}${by}`;
}

/** The header of a column: how it is ordered now, and what a click on it asks for. */
export function sortLink<Name extends string>(
	name: Name,
	now: Sort<Name>,
	hrefOf: (sort: string) => string,
) {
	const active = now.by === name;
	const direction = now.descending ? ('descending' as const) : ('ascending' as const);
	return {
		direction: active ? direction : undefined,
		href: hrefOf(active && !now.descending ? `-${name}` : name),
	};
}
