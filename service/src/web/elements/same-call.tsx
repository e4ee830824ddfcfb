// What a page shows, for those who would rather ask for it from a terminal or a program.
import { CodeBlock } from './code-block.tsx';

/** One call in three languages. The API key is always `$SERVICE_API_KEY`. */
export interface Call {
	curl: string;
	cli: string;
	typescript: string;
}

const languages = [
	['curl', 'curl'],
	['cli', 'Command line'],
	['typescript', 'TypeScript'],
] as const;

interface SameCallProps {
	call: Call;
	summary?: string;
	/** What the reader should know besides. */
	note?: string | undefined;
}

export function SameCall({ call, summary = 'The same call from code', note }: SameCallProps) {
	return (
		<details class="same-call">
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
						<CodeBlock id={`call-${name}`} what={`the ${label} call`} text={call[name]} />
					</div>
				))}
			</fieldset>
			{note && <p class="muted small">{note}</p>}
		</details>
	);
}
