// What can be chosen beside a file of firmware.
export const readOptions = ({ raw, flash_offset }) => ({
	raw: raw.checked,
	flash_offset: flash_offset.value.trim() || undefined,
});

export const noOptions = { raw: false };

export const fillOptions = (fields, { raw, flash_offset = '' }) => {
	fields.raw.checked = raw;
	fields.flash_offset.value = flash_offset;
};

export const describeOptions = ({ raw, flash_offset }) =>
	[raw && 'raw binary', flash_offset && `at ${flash_offset}`].filter(Boolean);
