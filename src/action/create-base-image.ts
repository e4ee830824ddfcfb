// The command `create-base-image`.
import type { BaseImageAction, BoardAccess } from 'board-access';
import { safeId } from '../ci/safe-id.ts';
import type { Runner } from './runner.ts';
import { summaryTable } from './summary.ts';

export async function createBaseImage(client: BoardAccess, runner: Runner) {
	const image = await client.admin.baseImages.create(imageOf(runner));
	runner.output('base-image-id', safeId(image.id));
	const row = [image.id, image.boardType, image.action, image.flashOffset, image.name];
	runner.summary(
		summaryTable(
			['Base image', 'Board type', 'Action', 'Offset', 'Name'],
			[row.map((value) => value ?? '')],
		),
	);
}

function given(runner: Runner, name: string) {
	return runner.input(name) || undefined;
}

function position(runner: Runner) {
	const text = runner.input('position');
	if (text === '') return undefined;
	if (/^\d+$/.test(text)) return Number(text);
	throw new Error('The input position must be a whole number');
}

function imageOf(runner: Runner) {
	return {
		action: runner.input('image-action') as BaseImageAction, // the service checks it
		boardType: given(runner, 'board-type'),
		name: given(runner, 'name'),
		description: given(runner, 'description'),
		url: given(runner, 'url'),
		flashOffset: given(runner, 'flash-offset'),
		position: position(runner),
		enabled: runner.flag('enabled'),
	};
}
