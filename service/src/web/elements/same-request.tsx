// The request behind a page, for a terminal or a program.
import { CodeBlock } from './code-block.tsx';

/** One request in three languages. The API key is always `$SERVICE_API_KEY`. */
export interface Examples {
	curl: string;
	cli: string;
	typescript: string;
}

const languages = [
	['curl', 'curl'],
	['cli', 'Command line'],
	['typescript', 'TypeScript'],
] as const;

interface SameRequestProps {
	examples: Examples;
	summary?: string;
	/** What the reader needs to know besides. */
	note?: string | undefined;
}

export function SameRequest({
	examples,
	summary = 'The same request from code',
	note,
}: SameRequestProps) {
	return (
		<details class="same-request">
			<summary>{summary}</summary>
			<fieldset class="tabs">
				<legend class="unseen">Language</legend>
				{languages.map(([name, label], index) => (
					<>
						<input type="radio" name="language" id={`tab-${name}`} checked={index === 0} />
						<label for={`tab-${name}`}>{label}</label>
					</>
				))}
				{languages.map(([name, label]) => (
					<div class={`tab tab-${name}`}>
						<CodeBlock id={`request-${name}`} what={`the ${label} example`} text={examples[name]} />
					</div>
				))}
			</fieldset>
			{note && <p class="muted small">{note}</p>}
		</details>
	);
}
