// The API reference, from the operations and schemas of the OpenAPI document.
import { type Described, type Json, leaseId } from 'board-access-http/operation';
import { raw } from 'hono/html';
import { CodeBlock, curlCommand, shell } from '../elements/code.tsx';
import { withCode } from '../elements/text.tsx';
import type { Pages, Services } from '../pages.tsx';
import { errorReference } from './error-reference.tsx';
import { fieldList, fieldsOf, type Schemas } from './fields.tsx';

/** Rendered once, on the first request: it is long, and the same for everyone. */
export function docsPage({ anyone }: Pages, services: Services) {
	const address = <code>{services.settings.baseUrl}/v1</code>;
	const openapi = <a href="/openapi.json">OpenAPI</a>;
	const lead = ['The HTTP API at ', address, ', also as ', openapi, '.'];
	let main: Promise<string> | undefined;
	anyone.get('/docs', async () => {
		main ??= Promise.resolve(docs(services).toString());
		return { title: 'API reference', lead, main: raw(await main) };
	});
}

function docs({ settings, operations, openapiDocument }: Services) {
	const { baseUrl } = settings;
	const groups = [...Map.groupBy(operations, ({ tag }) => tag)];
	const { schemas } = openapiDocument(settings).components;
	return (
		<div class="docs stack">
			{contents(groups)}
			<div class="docs-body stack">
				{basics(baseUrl)}
				{groups.map(([tag, members]) => (
					<section>
						<h2 id={anchor(tag)}>{tag}</h2>
						{members.map((operation) => endpoint(operation, baseUrl, schemas))}
					</section>
				))}
				{errorReference()}
			</div>
		</div>
	);
}

const contents = (groups: [tag: string, Described[]][]) => (
	<nav class="docs-contents" aria-label="Contents">
		<ul>
			<li>
				<a href="#basics">Basics</a>
			</li>
			{groups.map(([tag, members]) => (
				<li>
					<a href={`#${anchor(tag)}`}>{tag}</a>
					<ul>
						{members.map(({ operationId, summary }) => (
							<li>
								<a href={`#${operationId}`}>{summary}</a>
							</li>
						))}
					</ul>
				</li>
			))}
			<li>
				<a href="#errors">Errors</a>
			</li>
		</ul>
	</nav>
);

function basics(baseUrl: string) {
	const setup = `export SERVICE_BASE_URL=${shell(baseUrl)}\nexport SERVICE_API_KEY=key_…`;
	return (
		<section>
			<h2 id="basics">Basics</h2>
			<p>
				<a href="/keys/new">Create an API key</a> and set it in your environment. To run an example,
				replace the identifiers and board types in it, such as <code>{leaseId.example}</code> and{' '}
				<code>arduino-uno</code>, with your own, and <code>firmware.hex</code> with your file.
			</p>
			<CodeBlock id="setup" what="the environment variables" text={setup} />
			<p>
				Requests and responses are JSON with times in UTC. Lists come in pages: repeat the request
				with <code>cursor</code> set to <code>next_cursor</code> until it is null. Every response
				has an <code>X-Request-Id</code>; include it when you report a problem.
			</p>
			<p>
				In a browser, a session cookie works in place of the key. A request that changes something
				must then come from this site.
			</p>
		</section>
	);
}

function endpoint(operation: Described, baseUrl: string, schemas: Schemas) {
	const { operationId, method, path, summary, description, input, output, status, errors } =
		operation;
	const body = operation.inputOptional ? 'Body (optional)' : 'Body';
	return (
		<section class="card endpoint">
			<h3 id={operationId}>
				<a class="plain" href={`#${operationId}`}>
					{summary}
				</a>
			</h3>
			<p>
				<span class="badge">{method}</span> <code>{path}</code>
			</p>
			{description && <p>{withCode(description)}</p>}
			<CodeBlock
				id={`${operationId}-curl`}
				what={`the request “${summary}”`}
				text={exampleRequest(operation, baseUrl)}
			/>
			{fieldList('Parameters', operation.parameters.map(parameterField))}
			{input && fieldList(body, fieldsOf(schemas[input], schemas, 'required'))}
			{output && fieldList(`Response ${status}`, fieldsOf(schemas[output], schemas))}
			{errors.length > 0 && (
				<p class="small">
					Errors:{' '}
					{errors.map((code, index) => (
						<>
							{index > 0 && ', '}
							<a href={`#error-${code}`}>
								<code>{code}</code>
							</a>
						</>
					))}{' '}
					and <a href="#errors">those of every request</a>.
				</p>
			)}
		</section>
	);
}

function parameterField({ name, description, in: where, required }: Json) {
	const mark = `${where}${required ? ', required' : ''}`;
	return { name: String(name), mark, text: String(description ?? '') };
}

function exampleRequest(operation: Described, baseUrl: string) {
	const { method, parameters, file, example } = operation;
	const body = file ? `@${file}` : example;
	return curlCommand({
		baseUrl,
		method,
		path: operation.path.replace(/\{(\w+)\}/g, (_, wanted: string) =>
			String(parameters.find(({ name }) => name === wanted)?.example),
		),
		...(typeof body === 'string' ? { bytes: body } : body && { json: body }),
	});
}

function anchor(text: string) {
	return text.toLowerCase().replaceAll(' ', '-');
}
