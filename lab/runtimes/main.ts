// npm run runtimes: checks the packed client on every runtime and writes docs/runtimes.md.
import { rm, writeFile } from 'node:fs/promises';
import type { Result } from './checks.ts';
import { here, pack } from './pack.ts';
import { runtimes } from './runtimes.ts';
import { startServer } from './server.ts';

const packed = await pack();
const server = await startServer({
	'/': {
		type: 'text/html',
		text: '<!doctype html><script type="module" src="/page.mjs"></script>',
	},
	'/page.mjs': { type: 'text/javascript', text: packed.page },
});

interface Ran {
	name: string;
	results: readonly Result[];
}

const ran: Ran[] = [];
for (const runtime of runtimes) {
	server.forget();
	try {
		const { version, results } = await runtime.run({ ...packed, origin: server.origin });
		ran.push({ name: `${runtime.name.split(' ')[0]} ${version}`, results });
	} catch (error) {
		ran.push({
			name: runtime.name,
			results: [{ title: 'runs at all', outcome: 'failed', detail: String(error) }],
		});
	}
}

const failures = ran.flatMap(({ name, results }) =>
	results
		.filter(({ outcome }) => outcome === 'failed')
		.map(({ title, detail }) => ({ name, title, detail })),
);

const sign = { passed: 'yes', failed: '**no**', 'does not apply': '–' } as const;
const titles = [...new Set(ran.flatMap(({ results }) => results.map(({ title }) => title)))];
function line(cells: readonly string[]) {
	return `| ${cells.join(' | ')} |`;
}
function cell(results: readonly Result[], title: string) {
	const found = results.find((result) => result.title === title);
	return found ? sign[found.outcome] : '';
}

const text = [
	'# Runtimes',
	'',
	`What board-access ${packed.version} guarantees, checked on ${new Date().toISOString().slice(0, 10)} by \`npm run runtimes\`: the package as it would be published, on each runtime, against a real server. A dash means that a check does not apply: the CommonJS build on runtimes without CommonJS, the guard against keys in browsers elsewhere, why a connection failed where the runtime does not report it, and unhandled rejections where the runtime itself causes one when a \`fetch\` is aborted.`,
	'',
	line(['The client …', ...ran.map(({ name }) => name)]),
	line(['---', ...ran.map(() => '---')]),
	...titles.map((title) => line([title, ...ran.map(({ results }) => cell(results, title))])),
	'',
].join('\n');

console.log(text);
for (const { name, title, detail } of failures) console.error(`${name}: ${title}: ${detail}`);
await writeFile(here('../../docs/runtimes.md'), text);
await rm(packed.folder, { recursive: true });
process.exit(failures.length > 0 ? 1 : 0);
