// Text to take along, with a button that copies it. Without scripts one click selects it all.

interface CodeBlockProps {
	id: string;
	/** What it is, for the button's name. */
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
