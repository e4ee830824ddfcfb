// The fields of a JSON schema as a list.
import { withCode } from './with-code.tsx';

export type Schemas = Record<string, unknown>;

interface FieldsProps {
	title: string;
	schema: unknown;
	schemas: Schemas;
}

export function Fields({ title, schema, schemas }: FieldsProps) {
	const { properties = {}, required = [] } = asSchema(schema);
	const names = Object.keys(properties);
	if (names.length === 0) return null;
	return (
		<details>
			<summary>{title}</summary>
			<dl class="fields">
				{names.map((name) => (
					<>
						<dt>
							<code>{name}</code> {required.includes(name) && <RequiredMark title={title} />}
						</dt>
						<dd>{withCode(typeText(properties[name], schemas))}</dd>
					</>
				))}
			</dl>
		</details>
	);
}

/** Only a request can leave a field out. */
function RequiredMark({ title }: { title: string }) {
	return title.startsWith('Body') ? <span class="muted small">required</span> : null;
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
