// The types of the package, without their comments. Whoever changes them says so by `vitest -u`.
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const dist = fileURLToPath(new URL('../dist/', import.meta.url));

const declared = (name: string) =>
	readFileSync(dist + name, 'utf8')
		.replaceAll(/\/\*\*.*?\*\//gs, '')
		// The file that the fixtures share is named after its contents.
		.replaceAll(/options-[\w-]+\.js/g, 'options.js')
		.replaceAll(/^\s*\n/gm, '');

test('the public types are those of the snapshot', async () => {
	const names = globSync('{*,fixtures/*}.d.ts', { cwd: dist }).toSorted();
	const text = names.map((name) => `// ${name.replace(/-[\w-]{8}\./, '.')}\n${declared(name)}`);
	await expect(text.join('\n')).toMatchFileSnapshot('public-types.txt');
});
