// The fields of a JSON schema as a list.

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
						<dd>
							<Type schema={properties[name]} schemas={schemas} />
						</dd>
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

function Type({ schema, schemas }: { schema: unknown; schemas: Schemas }) {
	const { $ref, type, enum: values, items, anyOf, description, default: usual } = asSchema(schema);
	if ($ref) {
		const name = $ref.replace('#/components/schemas/', '');
		const { properties = {} } = asSchema(schemas[name]);
		return (
			<>
				{name}: <code>{Object.keys(properties).join(', ')}</code>
			</>
		);
	}
	if (items) {
		return (
			<>
				list of <Type schema={items} schemas={schemas} />
			</>
		);
	}
	if (anyOf) {
		return (
			<>
				{anyOf.map((one, index) => (
					<>
						{index > 0 && ' or '}
						<Type schema={one} schemas={schemas} />
					</>
				))}
			</>
		);
	}
	return (
		<>
			{values ? values.map((value) => JSON.stringify(value)).join(' or ') : typeWords(type)}
			{usual !== undefined && `, by default ${JSON.stringify(usual)}`}
			{description && ` – ${description}`}
		</>
	);
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
