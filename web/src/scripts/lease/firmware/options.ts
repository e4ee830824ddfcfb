// What can be chosen beside a file of firmware.
import { get } from '../../dom.ts';

export interface FirmwareOptions {
	raw: boolean;
	flashOffset?: string | undefined;
}

export const noOptions: FirmwareOptions = { raw: false };

function fieldsOf(form: HTMLElement) {
	return {
		raw: get<HTMLInputElement>('[name=raw]', form),
		offset: get<HTMLInputElement>('[name=flash_offset]', form),
	};
}

export function readOptions(form: HTMLElement): FirmwareOptions {
	const { raw, offset } = fieldsOf(form);
	return { raw: raw.checked, flashOffset: offset.value.trim() || undefined };
}

export function fillOptions(form: HTMLElement, options: FirmwareOptions) {
	const { raw, offset } = fieldsOf(form);
	raw.checked = options.raw;
	offset.value = options.flashOffset ?? '';
}

export function describeOptions({ raw, flashOffset }: FirmwareOptions) {
	return [raw && 'raw binary', flashOffset && `at ${flashOffset}`].filter(Boolean);
}
