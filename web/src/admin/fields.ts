// The kinds of fields that administrators change: what the text of a form stands for, and the other way round.

/** A kind of field. An undefined value leaves the field out. */
interface Kind {
	read: (text: string) => unknown;
	show: (value: unknown) => string;
}

interface Field {
	kind: Kind;
	/** What a form says where the field is rejected. */
	sentence?: string | ((message: string) => string);
	/** Whether the field belongs to what a form has sent. */
	when?: (texts: Texts) => boolean;
}

export type Fields = Readonly<Record<string, Field>>;
type Texts = Readonly<Record<string, string>>;

/** Empty is an empty text. */
export const text: Kind = {
	read: (text) => text.trim(),
	show: (value) => String(value ?? ''),
};

/** Empty leaves it out, and what is no whole number stays a text, which is rejected. */
export const wholeNumber: Kind = {
	...text,
	read: (value) => (/^\d+$/.test(value.trim()) ? Number(value) : value.trim() || undefined),
};

/** Empty is rejected. */
export const neededNumber: Kind = {
	...text,
	read: (value) => wholeNumber.read(value) ?? '',
};

/** A box that is ticked, or not. */
export const check: Kind = {
	read: (text) => text === 'on',
	show: (value) => (value ? 'on' : ''),
};

/** One on each line; empty is none. */
export const identifiers: Kind = {
	read: linesOf,
	show: (value) => [value].flat().join('\n'),
};

/** A name, a colon and a value on each line; empty is none. */
export const tags: Kind = {
	read: (text) => {
		const lines = linesOf(text);
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

function linesOf(text: string) {
	return text
		.split('\n')
		.map((line) => line.trim())
		.filter(Boolean);
}

/** What a form has sent, as the schemas have it. */
export function readFields(fields: Fields, texts: Texts) {
	const sent = Object.entries(fields).filter(([, { when }]) => when?.(texts) ?? true);
	return Object.fromEntries(
		sent.flatMap(([name, { kind }]) => {
			const value = kind.read(texts[name] ?? '');
			return value === undefined ? [] : [[name, value]];
		}),
	);
}

/** What the form of an item contains. */
export function textsOf(fields: Fields, item: object) {
	const values = new Map(Object.entries(item));
	return Object.fromEntries(
		Object.entries(fields).map(([name, { kind }]) => [name, kind.show(values.get(name))]),
	);
}
