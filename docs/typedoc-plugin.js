// For TypeDoc: names each guide after its heading, not after its file, and groups the API by the folders of `src`.
import { Comment, CommentTag, Converter } from 'typedoc';

const groups = [
	[/\/src\/(client|http\/(path|request))\./, 'Client'],
	[/\/src\/boards\//, 'Boards'],
	[/\/(errors\/|leases\/errors\.|contract\/error\.)/, 'Errors'],
	[/\/src\/leases\//, 'Leases'],
	[/\/src\/keys\//, 'API keys'],
	[/\/src\/account\//, 'Account'],
	[/\/src\/agents\//, 'Agents'],
	[/\/src\/base-images\//, 'Base images'],
	[/\/src\/activity\//, 'Activity'],
	[/\/src\/http\/list\./, 'Lists'],
	[/\/src\/http\/response\./, 'Responses'],
	[/\/src\/settings\/log\./, 'Logging'],
	[/\/src\/(settings\/|http\/fetch\.)/, 'Configuration'],
];

export const load = ({ converter }) => {
	converter.on(Converter.EVENT_CREATE_DOCUMENT, (_, guide) => {
		const text = guide.content.map(({ text }) => text).join('');
		const [, heading] = /^# (.+)$/m.exec(text) ?? [];
		if (heading) guide.name = heading;
	});
	converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
		const modules = project.children ?? [];
		for (const exported of modules.flatMap(({ children = [] }) => children)) {
			const { fileName = '' } = project.getSymbolIdFromReflection(exported) ?? {};
			const [, group] = groups.find(([pattern]) => pattern.test(fileName)) ?? [];
			if (!group) continue;
			exported.comment ??= new Comment();
			exported.comment.blockTags.push(new CommentTag('@group', [{ kind: 'text', text: group }]));
		}
	});
};
