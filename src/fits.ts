// Whether JSON fits a schema, without the copy that zod makes of all it checks. A yes is final; on a
// no, zod decides, and says what is wrong.
import type * as z from 'zod/mini';

type Fits = (value: unknown) => boolean;

const no: Fits = () => false;

const fieldsOf = (value: unknown) =>
	typeof value === 'object' && value !== null && !Array.isArray(value)
		? (value as Record<string, unknown>) // any object may be looked at by name
		: undefined;

const fieldsFit = (shape: Readonly<Record<string, z.core.$ZodType>>): Fits => {
	const checks = Object.entries(shape).map(([name, field]) => ({ name, fits: fitsOf(field) }));
	return (value) => {
		const fields = fieldsOf(value);
		return fields !== undefined && checks.every(({ name, fits }) => fits(fields[name]));
	};
};

const valuesFit = (fits: Fits): Fits => {
	return (value) => {
		const fields = fieldsOf(value);
		for (const name in fields) if (!fits(fields[name])) return false;
		return fields !== undefined;
	};
};

/** The check of a schema made of plain strings, booleans, objects, records and arrays. */
export const fitsOf = (schema: z.core.$ZodType): Fits => {
	const { def } = (schema as z.core.$ZodTypes)._zod; // the union of all schemas that zod makes
	if (def.checks?.length || 'format' in def || 'coerce' in def) return no;
	switch (def.type) {
		case 'string':
		case 'boolean':
			return (value) => typeof value === def.type;
		case 'optional':
		case 'nullable': {
			const blank = def.type === 'optional' ? undefined : null;
			const fits = fitsOf(def.innerType);
			return (value) => value === blank || fits(value);
		}
		case 'array': {
			const fits = fitsOf(def.element);
			return (value) => Array.isArray(value) && value.every(fits);
		}
		case 'object':
			return def.catchall ? no : fieldsFit(def.shape);
		case 'record':
			return fitsOf(def.keyType)('') ? valuesFit(fitsOf(def.valueType)) : no;
		default:
			return no;
	}
};
