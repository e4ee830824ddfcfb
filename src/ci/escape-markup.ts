// Text in HTML and XML.

const special: Readonly<Record<string, string>> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
};

export function escapeMarkup(text: string) {
	return text.replace(/[&<>"]/g, (character) => special[character] ?? '');
}
