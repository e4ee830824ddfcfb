// Text to copy, and API requests as somebody would type them.
import { inspect } from 'node:util';
import type { Child } from 'hono/jsx';

/** A text with a button to copy it, whose name says `what` it is. */
export function CodeBlock({ id, what, text }: Record<'id' | 'what' | 'text', string>) {
	return (
		<div class="code">
			<pre tabindex={0}>
				<code id={id}>{text}</code>
			</pre>
			<button type="button" class="button copy" data-copy={id} aria-label={`Copy ${what}`} hidden>
				Copy
			</button>
		</div>
	);
}

const languages = [
	['curl', 'curl'],
	['cli', 'Command line'],
	['typescript', 'TypeScript'],
] as const;

interface TabsProps {
	legend: string;
	/** The styles show the content of a tab by its name. */
	tabs: readonly (readonly [name: string, label: string, content: Child])[];
}

/** Tabs that need no script. */
export function Tabs({ legend, tabs }: TabsProps) {
	return (
		<fieldset class="tabs">
			<legend class="unseen">{legend}</legend>
			{tabs.map(([name, label], index) => (
				<>
					<input type="radio" name="tab" id={`tab-${name}`} checked={index === 0} />
					<label for={`tab-${name}`}>{label}</label>
				</>
			))}
			{tabs.map(([name, , content]) => (
				<div class={`tab tab-${name}`}>{content}</div>
			))}
		</fieldset>
	);
}

/** A tab with an example to copy. */
export function codeTab(name: string, label: string, text: string) {
	const block = <CodeBlock id={`request-${name}`} what={`the ${label} example`} text={text} />;
	return [name, label, block] as const;
}

type Examples = ReturnType<typeof requestExamples>;

/** A request in each language. */
function Request({ examples }: { examples: Examples }) {
	const tabs = languages.map(([name, label]) => codeTab(name, label, examples[name]));
	return <Tabs legend="Language" tabs={tabs} />;
}

export function SameRequest({ examples, note }: { examples: Examples; note?: string | undefined }) {
	return (
		<details class="same-request">
			<summary>The same request from code</summary>
			<Request examples={examples} />
			{note && <p class="muted small">{note}</p>}
		</details>
	);
}

interface ExampleOptions {
	baseUrl: string;
	method?: string;
	path: string;
	json?: object;
	/** The arguments of `board-access`. */
	cli: readonly string[];
	/** The TypeScript that uses `client`. */
	typescript: string;
}

/** One request in three languages. The API key is always `$SERVICE_API_KEY`. */
export function requestExamples(options: ExampleOptions) {
	const { baseUrl, cli, typescript } = options;
	return {
		curl: curlCommand(options),
		cli: `export SERVICE_BASE_URL=${shell(baseUrl)}\nboard-access ${cli.map(shell).join(' ')}`,
		typescript: `import { BoardAccess } from 'board-access';

// Reads SERVICE_API_KEY from the environment.
const client = new BoardAccess({ baseUrl: ${literal(baseUrl)} });
${typescript}`,
	};
}

interface CurlOptions extends Pick<ExampleOptions, 'baseUrl' | 'method' | 'path' | 'json'> {
	/** A body that is not JSON: a text, or `@` and the name of a file. */
	bytes?: string | undefined;
}

export function curlCommand({ baseUrl, method = 'GET', path, json, bytes }: CurlOptions) {
	const type = json ? 'application/json' : bytes && 'application/octet-stream';
	const lines = [
		method !== 'GET' && `-X ${method}`,
		type && `-H 'Content-Type: ${type}'`,
		json && `-d ${shell(JSON.stringify(json))}`,
		bytes && `--data-binary ${shell(bytes)}`,
		'-H "Authorization: Bearer $SERVICE_API_KEY"',
		shell(baseUrl + path),
	];
	return `curl ${lines.filter(Boolean).join(' \\\n  ')}`;
}

/** A text as one word of a shell command, with every control character escaped. */
export function shell(text: string) {
	if (/^[\w@%+=:,./-]+$/.test(text)) return text;
	if (/\p{Cc}/u.test(text)) return `$'${text.replace(/[\p{Cc}'\\]/gu, escaped)}'`;
	return `'${text.replaceAll("'", `'\\''`)}'`;
}

function escaped(character: string) {
	if (character === '\n') return '\\n';
	if (character === '\r') return '\\r';
	const bytes = [...Buffer.from(character)];
	return bytes.map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
}

/** A value as TypeScript, without the fields that have none. */
export function literal(value: string | number | object) {
	return inspect(JSON.parse(JSON.stringify(value)), { breakLength: Number.POSITIVE_INFINITY });
}
