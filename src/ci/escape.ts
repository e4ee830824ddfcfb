// Text from the service that goes into shell lines, HTML and XML.

/** The identifier, unless it has characters that a shell interprets: workflows put it into shell lines. */
export function safeId(id: string) {
	if (/^[A-Za-z0-9][\w.-]*$/.test(id)) return id;
	throw new Error('The service sent an ID with characters that are not allowed in a shell');
}

const special: Readonly<Record<string, string>> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
};

export function escapeMarkup(text: string) {
	return text.replace(/[&<>"]/g, (character) => special[character] ?? '');
}
