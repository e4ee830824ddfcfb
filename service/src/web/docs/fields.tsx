// The fields of a JSON schema as a list.
import { withCode } from '../elements/text.tsx';

export type Schemas = Record<string, unknown>;

interface FieldText {
	name: string;
	/** What is said beside the name. */
	mark?: string | false | undefined;
	/** With backticks around code. */
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

/** The fields of an object; only a request can leave one out, so `mark` marks its required ones. */
export function fieldsOf(schema: unknown, schemas: Schemas, mark?: string): FieldText[] {
	const { properties = {}, required = [] } = asSchema(schema);
	return Object.entries(properties).map(([name, property]) => ({
		name,
		mark: required.includes(name) && mark,
		text: typeText(property, schemas),
	}));
}

/** With backticks around names. */
function typeText(schema: unknown, schemas: Schemas): string {
	const { $ref, type, enum: values, items, anyOf, description, default: usual } = asSchema(schema);
	if ($ref) {
		const name = $ref.replace('#/components/schemas/', '');
		const { properties = {} } = asSchema(schemas[name]);
		return `${name}: \`${Object.keys(properties).join(', ')}\``;
	}
	if (items) return `list of ${typeText(items, schemas)}`;
	if (anyOf) return anyOf.map((one) => typeText(one, schemas)).join(' or ');
	return [
		values ? values.map((value) => JSON.stringify(value)).join(' or ') : typeWords(type),
		usual !== undefined && `, by default ${JSON.stringify(usual)}`,
		description && ` – ${description}`,
	]
		.filter(Boolean)
		.join('');
}

function typeWords(type: string | string[] = 'any value') {
	return Array.isArray(type) ? type.join(' or ') : type;
}

interface JsonSchema {
	$ref?: string;
	type?: string | string[];
	enum?: unknown[];
	items?: unknown;
	anyOf?: unknown[];
	description?: string;
	default?: unknown;
	properties?: Record<string, unknown>;
	required?: string[];
}

function asSchema(schema: unknown): JsonSchema {
	// Written by this service as JSON schema.
	return (schema ?? {}) as JsonSchema;
}
