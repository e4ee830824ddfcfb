// What an import changes, line by line.
import type { Column } from '../terminal/table.ts';
import type { ImagePlan } from './replace.ts';

type Image = ImagePlan['added'][number];

interface Row {
	change: 'add' | 'change' | 'remove';
	image: Image;
	before?: Image;
}

export const planColumns: readonly Column<Row>[] = [
	{ title: 'CHANGE', value: ({ change }) => change, whole: true },
	...(
		[
			['POSITION', 'position'],
			['BOARD TYPE', 'boardType'],
			['ACTION', 'action'],
			['OFFSET', 'flashOffset'],
			['ENABLED', 'enabled'],
			['NAME', 'name'],
			['URL', 'url'],
		] as const
	).map(([title, field]) => ({
		title,
		value: ({ image, before }: Row) => changeText(before?.[field], image[field]),
	})),
];

/** The rows of several plans, each in its order. */
export function planRows(plans: readonly ImagePlan[]): Row[] {
	return plans.flatMap(({ added, changed, removed }) => [
		...removed.map((image): Row => ({ change: 'remove', image })),
		...changed.map(({ before, after }): Row => ({ change: 'change', before, image: after })),
		...added.map((image): Row => ({ change: 'add', image })),
	]);
}

function changeText(before: unknown, after: unknown) {
	const text = String(after ?? '');
	return before === undefined || before === after ? text : `${before} → ${text}`;
}
