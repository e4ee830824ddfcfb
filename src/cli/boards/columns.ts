// How boards are shown.
import type { Board } from 'board-access';
import type { Column } from '../terminal/table.ts';

export const boardColumns: readonly Column<Board>[] = [
	{ title: 'ID', value: ({ id }) => id, whole: true },
	{ title: 'TYPE', value: ({ boardType }) => boardType, whole: true },
	{ title: 'STATUS', value: ({ status }) => status, whole: true },
	{ title: 'NAME', value: ({ name }) => name },
	{ title: 'TAGS', value: ({ tags }) => tagsText(tags) },
	{ title: 'DESCRIPTION', value: ({ description }) => description },
];

/** `arch=xtensa location=rack-1` */
export function tagsText(tags: Board['tags']) {
	return Object.entries(tags ?? {})
		.map(([name, value]) => `${name}=${value}`)
		.join(' ');
}
