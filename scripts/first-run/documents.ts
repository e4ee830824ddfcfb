// The commands in the documents.

/** The code blocks of a language, in their order. */
export function blocksOf(markdown: string, language: string) {
	return [...markdown.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(
		([, text = '']) => text,
	);
}

/** The lines of the README that begin in a fresh clone. */
export function firstCommands(readme: string) {
	return blocksOf(readme, 'sh')
		.flatMap((block) => block.trim().split('\n'))
		.filter((line) => line.startsWith('npm ci'));
}
