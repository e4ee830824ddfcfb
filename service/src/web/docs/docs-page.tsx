// The API reference, drawn from the operations and schemas of the OpenAPI document.
import { parametersOf } from '../../openapi/document.ts';
import { leaseId, type Operation } from '../../openapi/operation.ts';
import { operations } from '../../openapi/operations.ts';
import { CodeBlock, curlCommand, shell } from '../elements/code.tsx';
import { PageHead } from '../elements/text.tsx';
import { ErrorReference } from './error-reference.tsx';
import { Fields, type Schemas } from './fields.tsx';
import { withCode } from './with-code.tsx';

interface Endpoint {
	method: string;
	path: string;
	operation: Operation;
}

const endpoints: Endpoint[] = Object.entries(operations).flatMap(([path, methods]) =>
	Object.entries(methods).map(([method, operation]) => ({
		method: method.toUpperCase(),
		path,
		operation,
	})),
);

const groups = [...Map.groupBy(endpoints, ({ operation }) => operation.tag)];

interface DocsProps {
	baseUrl: string;
	schemas: Schemas;
}

export function DocsPage({ baseUrl, schemas }: DocsProps) {
	return (
		<>
			<PageHead
				title="API reference"
				lead={
					<>
						The HTTP API at <code>{baseUrl}/v1</code>, also as <a href="/openapi.json">OpenAPI</a>.
					</>
				}
			/>
			<div class="docs">
				<Contents />
				<div class="docs-body">
					<Basics baseUrl={baseUrl} />
					{groups.map(([tag, members]) => (
						<section>
							<h2 id={anchor(tag)}>{tag}</h2>
							{members.map((endpoint) => (
								<EndpointReference {...endpoint} baseUrl={baseUrl} schemas={schemas} />
							))}
						</section>
					))}
					<ErrorReference />
				</div>
			</div>
		</>
	);
}

function Contents() {
	return (
		<nav class="docs-contents" aria-label="Contents">
			<ul>
				<li>
					<a href="#basics">Basics</a>
				</li>
				{groups.map(([tag, members]) => (
					<li>
						<a href={`#${anchor(tag)}`}>{tag}</a>
						<ul>
							{members.map(({ operation }) => (
								<li>
									<a href={`#${operation.operationId}`}>{operation.summary}</a>
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
}

function Basics({ baseUrl }: { baseUrl: string }) {
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

function EndpointReference({ method, path, operation, baseUrl, schemas }: Endpoint & DocsProps) {
	const { operationId, summary, description, input, success, errors } = operation;
	const [status, , responseSchema] = success;
	return (
		<section class="card endpoint">
			<h3 id={operationId}>
				<a class="plain" href={`#${operationId}`}>
					{summary}
				</a>
			</h3>
			<p>
				<span class={`badge method-${method.toLowerCase()}`}>{method}</span> <code>{path}</code>
			</p>
			{description && <p>{withCode(description)}</p>}
			<CodeBlock
				id={`${operationId}-curl`}
				what={`the request “${summary}”`}
				text={exampleRequest({ method, path, operation }, baseUrl)}
			/>
			<Parameters operation={operation} />
			{input && (
				<Fields
					title={operation.inputOptional ? 'Body (optional)' : 'Body'}
					schema={schemas[input]}
					schemas={schemas}
				/>
			)}
			<Fields
				title={`Response ${status}`}
				schema={responseSchema && schemas[responseSchema]}
				schemas={schemas}
			/>
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

function exampleRequest({ method, path, operation }: Endpoint, baseUrl: string) {
	const { parameters, file, example } = operation;
	const body = file ? `@${file}` : example?.request;
	return curlCommand({
		baseUrl,
		// Every operation has one of these methods.
		method: method as 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
		path: path.replace(/\{(\w+)\}/g, (_, wanted: string) =>
			String(parameters.find(({ name }) => name === wanted)?.example),
		),
		...(typeof body === 'string' ? { bytes: body } : body && { json: body }),
	});
}

function Parameters({ operation }: { operation: Operation }) {
	const parameters = parametersOf(operation);
	if (parameters.length === 0) return null;
	return (
		<details>
			<summary>Parameters</summary>
			<dl class="fields">
				{parameters.map(({ name, description, in: place, required }) => (
					<>
						<dt>
							<code>{String(name)}</code>{' '}
							<span class="muted small">{`${place}${required ? ', required' : ''}`}</span>
						</dt>
						<dd>{withCode(String(description ?? ''))}</dd>
					</>
				))}
			</dl>
		</details>
	);
}

function anchor(text: string) {
	return text.toLowerCase().replaceAll(' ', '-');
}
