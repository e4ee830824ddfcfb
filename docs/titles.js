// For TypeDoc: names each guide after its heading, not after its file.
import { Converter } from 'typedoc';

export const load = ({ converter }) =>
	converter.on(Converter.EVENT_CREATE_DOCUMENT, (_, guide) => {
		const text = guide.content.map(({ text }) => text).join('');
		const [, heading] = /^# (.+)$/m.exec(text) ?? [];
		if (heading) guide.name = heading;
	});
