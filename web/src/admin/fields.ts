// The kinds of fields in administrators' forms: each reads the text of a form, and shows a value as text.

/** A kind of field. An undefined value leaves the field out. */
interface Kind {
	read: (text: string, form: Texts) => unknown;
	show: (value: unknown) => string;
}

export type Fields = Readonly<Record<string, Kind>>;
type Texts = Readonly<Record<string, string>>;

/** Empty is the empty string. */
export const text: Kind = {
	read: (text) => text.trim(),
	show: (value) => String(value ?? ''),
};

/** Empty leaves the field out. Any text but a whole number is passed on, and rejected. */
export const wholeNumber: Kind = {
	...text,
	read: (value) => (/^\d+$/.test(value.trim()) ? Number(value) : value.trim() || undefined),
};

/** Empty is rejected. */
export const neededNumber: Kind = {
	...text,
	read: (value, form) => wholeNumber.read(value, form) ?? '',
};

/** A check box. */
export const check: Kind = {
	read: (text) => text === 'on',
	show: (value) => (value ? 'on' : ''),
};

/** A name, a colon and a value on each line; empty is none. */
export const tags: Kind = {
	read: (text) => {
		const lines = text
			.split('\n')
			.map((line) => line.trim())
			.filter(Boolean);
		const found = new Map(
			lines.map((line) => {
				const [name = '', ...value] = line.split(':');
				return [name.trim(), value.join(':').trim()];
			}),
		);
		const isValid = found.size === lines.length && lines.every((line) => line.includes(':'));
		return isValid ? Object.fromEntries(found) : text;
	},
	show: (value) =>
		Object.entries(Object(value))
			.map((pair) => pair.join(': '))
			.join('\n'),
};

/** The input of an operation, from the texts of a form. */
export function readFields(fields: Fields, texts: Texts) {
	const values = Object.entries(fields).map(
		([name, { read }]) => [name, read(texts[name] ?? '', texts)] as const,
	);
	return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

/** The texts of a form, from an item. */
export function textsOf(fields: Fields, item: object) {
	const values = new Map(Object.entries(item));
	return Object.fromEntries(
		Object.entries(fields).map(([name, { show }]) => [name, show(values.get(name))]),
	);
}
