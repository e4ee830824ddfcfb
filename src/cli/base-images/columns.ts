// How base images are shown, existing and planned ones.
import type { BaseImage } from 'board-access';
import type { Column } from '../terminal/table.ts';

type Shown = { [Field in keyof BaseImage]?: BaseImage[Field] | undefined };

export const columns: readonly Column<Shown>[] = [
	{ title: 'ID', value: (image) => image.id, whole: true },
	{ title: 'POSITION', value: (image) => image.position, whole: true },
	{ title: 'BOARD TYPE', value: (image) => image.boardType, whole: true },
	{ title: 'ACTION', value: (image) => image.action, whole: true },
	{ title: 'OFFSET', value: (image) => image.flashOffset, whole: true },
	{ title: 'NAME', value: (image) => image.name },
	{ title: 'URL', value: (image) => image.url },
	{ title: 'SHA256', value: (image) => image.sha256 },
	{ title: 'ENABLED', value: ({ enabled }) => (enabled === false ? 'no' : 'yes') },
];
