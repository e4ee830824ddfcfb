// Reads text/event-stream.

interface ServerSentEvent {
	/** The last id that was sent, with this event or before it. */
	id: string;
	event: string;
	data: string;
}

/** The events of a stream; one that is cut short is left out. */
export async function* readEvents(
	chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<ServerSentEvent, void, undefined> {
	const decoder = new TextDecoder();
	let text = '';
	let id = '';
	for await (const chunk of chunks) {
		const blocks = (text + decoder.decode(chunk, { stream: true })).split('\n\n');
		text = blocks.pop() ?? '';
		for (const block of blocks) {
			const fields = fieldsOf(block);
			id = fields.get('id') ?? id;
			const data = fields.get('data');
			if (data !== undefined) yield { id, event: fields.get('event') ?? 'message', data };
		}
	}
}

/** Comments have an empty name. */
function fieldsOf(block: string) {
	const fields = new Map<string, string>();
	for (const line of block.split('\n')) {
		const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
		const before = fields.get(name);
		fields.set(name, before === undefined ? value : `${before}\n${value}`);
	}
	return fields;
}
