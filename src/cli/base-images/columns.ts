// How base images are shown, existing and planned ones.
import type { BaseImage, BaseImageInput } from 'board-access';
import type { Column } from '../terminal/table.ts';

/** The fields that an entry and the input for one share. */
type Shown = {
	[Field in Exclude<keyof BaseImageInput, 'action'>]?: BaseImage[Field] | undefined;
} & {
	action?: string | null;
};

export const plannedColumns: readonly Column<Shown>[] = [
	{ title: 'POSITION', value: (image) => image.position, whole: true },
	{ title: 'BOARD TYPE', value: (image) => image.boardType, whole: true },
	{ title: 'ACTION', value: (image) => image.action, whole: true },
	{ title: 'OFFSET', value: (image) => image.flashOffset, whole: true },
	{ title: 'NAME', value: (image) => image.name },
	{ title: 'URL', value: (image) => image.url },
];

export const imageColumns: readonly Column<BaseImage>[] = [
	{ title: 'ID', value: (image) => image.id, whole: true },
	...plannedColumns,
];

export const listColumns: readonly Column<BaseImage>[] = [
	...imageColumns,
	{ title: 'ENABLED', value: ({ enabled }) => (enabled === false ? 'no' : 'yes') },
];
