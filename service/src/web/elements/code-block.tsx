// Text to copy, with a button for it. Without JavaScript one click selects all of it.

interface CodeBlockProps {
	id: string;
	/** What the text is, for the name of the button. */
	what: string;
	text: string;
}

export function CodeBlock({ id, what, text }: CodeBlockProps) {
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
