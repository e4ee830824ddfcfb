// The documentation as one page, drawn from the OpenAPI document, with nothing from elsewhere.
import { createHash } from 'node:crypto';
import { errorStatuses } from 'board-access-contract';
import { raw } from 'hono/html';
import { parametersOf } from './document.ts';
import type { Operation } from './operation.ts';
import { operations } from './operations.ts';

const style = `
:root { color-scheme: light dark; font: 16px/1.6 system-ui, sans-serif }
body { max-width: 52rem; margin: 0 auto; padding: 1.5rem }
pre { overflow-x: auto; padding: .8rem 1rem; border-radius: .4rem; background: #8882 }
code { font-family: ui-monospace, monospace; font-size: .9em }
h2 { margin-top: 2.5rem; border-top: 1px solid #8886; padding-top: 1rem }
table { border-collapse: collapse; width: 100% } td, th { text-align: left; padding: .3rem .8rem .3rem 0; vertical-align: top }
`;

const styleHash = createHash('sha256').update(style).digest('base64');

export const docsPolicy = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; frame-ancestors 'none'`;

type Schemas = Record<string, unknown>;

export function DocsPage({ baseUrl, schemas }: { baseUrl: string; schemas: Schemas }) {
	return (
		<html lang="en">
			<head>
				<meta charset="utf-8" />
				<meta name="viewport" content="width=device-width" />
				<title>Board Access Service: the HTTP API</title>
				<style>{raw(style)}</style>
			</head>
			<body>
				<main>
					<h1>Board Access Service: the HTTP API</h1>
					<p>
						Send an API key with every request. Lists are paged: follow <code>next_cursor</code>{' '}
						until it is null. The same as a machine reads it:{' '}
						<a href="/openapi.json">openapi.json</a>.
					</p>
					{Object.entries(operations).flatMap(([path, methods]) =>
						Object.entries(methods).map(([method, operation]) => (
							<section>
								<h2 id={operation.operationId}>{operation.summary}</h2>
								<p>{operation.description}</p>
								<pre tabindex={0}>
									<code>{curl(baseUrl, path, method, operation.input)}</code>
								</pre>
								<Parameters parameters={parametersOf(operation)} />
								{operation.input && (
									<Schema title="Body" schema={schemas[operation.input.schema]} />
								)}
								<Schema
									title={`Answer, ${operation.success.status}`}
									schema={schemas[operation.success.schema ?? '']}
								/>
							</section>
						)),
					)}
					<h2 id="errors">Errors</h2>
					<table>
						{Object.entries(errorStatuses).map(([code, status]) => (
							<tr>
								<td>{status}</td>
								<td>
									<code>{code}</code>
								</td>
							</tr>
						))}
					</table>
					<Schema title="Body of every error" schema={schemas.Error} />
				</main>
			</body>
		</html>
	);
}

function curl(baseUrl: string, path: string, method: string, body: Operation['input']) {
	return [
		`curl ${method === 'get' ? '' : `-X ${method.toUpperCase()} `}${baseUrl}${path}`,
		'-H "Authorization: Bearer $SERVICE_API_KEY"',
		...(body?.type ? [`-H "Content-Type: ${body.type}" --data-binary @file`] : []),
		...(body && !body.type ? ['-H "Content-Type: application/json" -d @body.json'] : []),
	].join(' \\\n  ');
}

function Parameters({ parameters }: { parameters: Record<string, unknown>[] }) {
	return (
		<table>
			{parameters.map(({ name, description }) => (
				<tr>
					<td>
						<code>{String(name)}</code>
					</td>
					<td>{String(description)}</td>
				</tr>
			))}
		</table>
	);
}

function Schema({ title, schema }: { title: string; schema: unknown }) {
	return (
		<details>
			<summary>{title}</summary>
			<pre tabindex={0}>
				<code>{JSON.stringify(schema, null, 2)}</code>
			</pre>
		</details>
	);
}
