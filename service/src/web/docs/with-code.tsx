// Text in which backticks mark code, as in the OpenAPI document.

export function withCode(text: string) {
	return text.split('`').map((part, index) => (index % 2 === 1 ? <code>{part}</code> : part));
}
