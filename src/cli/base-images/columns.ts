// How base images are shown, those that exist and those that are planned.
import type { BaseImage, BaseImageInput } from 'board-access';

/** What an entry and the input for one have in common. */
type Shown = {
	[Field in Exclude<keyof BaseImageInput, 'action'>]?: BaseImage[Field] | undefined;
} & {
	action?: string | null;
};

export const plannedColumns = [
	{ title: 'POSITION', value: (image: Shown) => image.position },
	{ title: 'BOARD TYPE', value: (image: Shown) => image.boardType },
	{ title: 'ACTION', value: (image: Shown) => image.action },
	{ title: 'OFFSET', value: (image: Shown) => image.flashOffset },
	{ title: 'NAME', value: (image: Shown) => image.name },
	{ title: 'URL', value: (image: Shown) => image.url },
];

export const imageColumns = [
	{ title: 'ID', value: (image: BaseImage) => image.id },
	...plannedColumns,
];
