// Text from the service that goes into shell lines, HTML and XML.

/** The identifier, unless it has characters that a shell interprets: workflows put it into shell lines. */
export function safeId(id: string) {
	if (/^[A-Za-z0-9][\w.-]*$/.test(id)) return id;
	throw new Error('The service sent an ID with characters that are not allowed in a shell');
}

export function escapeMarkup(text: string) {
	return text
		.replaceAll('&', '&amp;')
		.replaceAll('<', '&lt;')
		.replaceAll('>', '&gt;')
		.replaceAll('"', '&quot;');
}
