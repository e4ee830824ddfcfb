// The fields of a JSON schema as a list.
import type { Schema } from 'board-access-http/operation';
import { withCode } from '../elements/text.tsx';

export type Schemas = Record<string, Schema>;

interface FieldText {
	name: string;
	/** Text beside the name. */
	mark?: string | false | undefined;
	/** Backticks mark code. */
	text: string;
}

export function fieldList(title: string, fields: FieldText[]) {
	if (fields.length === 0) return null;
	return (
		<details>
			<summary>{title}</summary>
			<dl class="fields">
				{fields.map(({ name, mark, text }) => (
					<>
						<dt>
							<code>{name}</code> {mark && <span class="muted small">{mark}</span>}
						</dt>
						<dd>{withCode(text)}</dd>
					</>
				))}
			</dl>
		</details>
	);
}

/** The fields of an object. Only requests can leave fields out, so only theirs have a `mark` if required. */
export function fieldsOf(schema: Schema | undefined, schemas: Schemas, mark?: string): FieldText[] {
	const { properties = {}, required = [] } = schema ?? {};
	return Object.entries(properties).map(([name, property]) => ({
		name,
		mark: required.includes(name) && mark,
		text: typeText(property, schemas),
	}));
}

/** Backticks mark names. */
function typeText(schema: NonNullable<Schema['items']>, schemas: Schemas): string {
	if (typeof schema === 'boolean' || Array.isArray(schema)) return 'any value';
	const { $ref, type, enum: values, items, anyOf, description, default: usual } = schema;
	if ($ref) {
		const name = $ref.replace('#/components/schemas/', '');
		return `${name}: \`${Object.keys(schemas[name]?.properties ?? {}).join(', ')}\``;
	}
	if (items) return `list of ${typeText(items, schemas)}`;
	if (anyOf) return anyOf.map((one) => typeText(one, schemas)).join(' or ');
	const allowed = values?.map((value) => JSON.stringify(value)) ?? [type ?? 'any value'].flat();
	const otherwise = usual === undefined ? '' : `, by default ${JSON.stringify(usual)}`;
	return `${allowed.join(' or ')}${otherwise}${description ? ` – ${description}` : ''}`;
}
