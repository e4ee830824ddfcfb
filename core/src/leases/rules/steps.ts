// The steps of a preparation: a power cycle, the base images, and a reset, if the agent supports them.
import { capabilitiesOf } from '../../boards/capabilities.ts';
import type { BaseImageRow, BoardRow, LeaseActionRow } from '../../database/schema.ts';

/** A base image with its downloaded file. */
export type UsableImage = Pick<BaseImageRow, 'action' | 'name' | 'url' | 'flash_offset'> & {
	file_id: string | null;
};

export type PlannedStep = Pick<
	LeaseActionRow,
	'action' | 'name' | 'url' | 'file_id' | 'flash_offset'
>;

/** `images` are the enabled ones of the board type, in order. */
export function stepsOf(
	board: Pick<BoardRow, 'agent_id' | 'capabilities'>,
	images: readonly UsableImage[],
): PlannedStep[] {
	const { actions = [], between_leases } = capabilitiesOf(board) ?? {};
	const steps = [
		...(actions.includes('power_cycle') ? [simple('power_cycle')] : []),
		...(board.agent_id === null ? [] : images.map(imageStep)),
		...(actions.includes('reset') ? [simple('reset')] : []),
	];
	return steps.length === 0 && between_leases === 'erase' ? [simple('erase')] : steps;
}

function simple(action: PlannedStep['action']): PlannedStep {
	return { action, name: null, url: null, file_id: null, flash_offset: null };
}

function imageStep({ action, name, url, file_id, flash_offset }: UsableImage): PlannedStep {
	return action === 'flash'
		? { action, name, url, file_id, flash_offset }
		: { ...simple(action), name };
}
