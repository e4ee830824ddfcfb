// The code blocks of the guides, which tests run unchanged.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const path = (file: string) => fileURLToPath(new URL(`../../${file}`, import.meta.url));

/** The blocks of a guide in this language, apart from those marked `no-run`. */
export async function guideBlocks(language: string, guide: string) {
	const document = await readFile(path(guide), 'utf8');
	const blocks = document.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'gms'));
	return [...blocks].map(([, block = '']) => block);
}

/** The only block of the CI guide in this language that contains the text. */
export async function guideBlock(language: string, text: string) {
	const blocks = await guideBlocks(language, 'docs/guides/ci.md');
	const found = blocks.filter((block) => block.includes(text));
	if (found.length !== 1) throw new Error(`${found.length} blocks of the guide contain ${text}`);
	return found.join('');
}
