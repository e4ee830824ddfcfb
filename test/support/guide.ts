// The blocks of the CI guide, which tests run as they stand.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const path = (file: string) => fileURLToPath(new URL(`../../${file}`, import.meta.url));

/** The only block of the guide in this language that contains the text. */
export async function guideBlock(language: string, text: string, guide = 'docs/guides/ci.md') {
	const document = await readFile(path(guide), 'utf8');
	const blocks = [...document.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'gms'))];
	const found = blocks.map(([, block = '']) => block).filter((block) => block.includes(text));
	if (found.length !== 1) throw new Error(`${found.length} blocks of the guide contain ${text}`);
	return found.join('');
}
