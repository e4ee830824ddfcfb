// npm run bench [-- --quick] [-- part …]: measures, prints, and writes docs/benchmarks.md.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { cpus, release, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { here, run } from './child.ts';
import { perCall } from './client/per-call.ts';
import { leases } from './leases/leases.ts';
import { memory } from './memory/memory.ts';
import { quick, thorough } from './pace.ts';
import { markdown } from './report/markdown.ts';
import type { Section } from './report/section.ts';
import { service } from './service/service.ts';
import { size } from './size/size.ts';
import { startUp } from './start/start.ts';

const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: { quick: { type: 'boolean', default: false }, out: { type: 'string' } },
});

const pace = values.quick ? quick : thorough;

const parts: Readonly<Record<string, () => Promise<Section>>> = {
	client: () => perCall(pace.client),
	start: () => startUp(pace.start),
	size,
	memory: () => memory(pace.memory),
	service: () => service(pace.service),
	leases: () => leases(pace.leases),
};

const wanted = positionals.length > 0 ? positionals : Object.keys(parts);

async function versions() {
	const { dependencies } = JSON.parse(await readFile(here('package.json'), 'utf8')) as {
		dependencies: Record<string, string>;
	};
	const lines = Object.keys(dependencies).map(async (name) => {
		const manifest = await readFile(here(`node_modules/${name}/package.json`), 'utf8');
		return `${name} ${JSON.parse(manifest).version}`;
	});
	return (await Promise.all(lines)).join(', ');
}

async function commit() {
	try {
		return (await run('git', ['rev-parse', '--short', 'HEAD'], { cwd: here('.') })).stdout.trim();
	} catch {
		return 'unknown';
	}
}

async function machine() {
	const [first, ...others] = cpus();
	return [
		'# Benchmarks',
		'',
		`Measured on ${new Date().toISOString().slice(0, 10)} at commit ${await commit()} by \`npm run bench\`, all in one run, on ${others.length + 1} × ${first?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${process.platform} ${release()}, Node ${process.version}. Ratios are more comparable between machines than times.`,
		'',
		`${await versions()}.`,
		'',
	].join('\n');
}

async function write(folder: string, text: string, sections: readonly Section[]) {
	const images = `${folder}/images/benchmarks`;
	await mkdir(images, { recursive: true });
	await writeFile(`${folder}/benchmarks.md`, text);
	for (const { name, svg } of sections.flatMap(({ plots }) => plots)) {
		await writeFile(`${images}/${name}.svg`, svg);
	}
}

const sections: Section[] = [];
const texts = [await machine()];
console.log(texts[0]);
for (const name of wanted) {
	const part = parts[name];
	if (!part) throw new Error(`There is no part ${name}: ${Object.keys(parts).join(', ')}`);
	const startedAt = performance.now();
	const section = await part();
	sections.push(section);
	texts.push(markdown(section));
	console.log(texts.at(-1));
	console.error(`${name}: ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
}

// A single part or a quick run is not a benchmark to publish.
const whole = !values.quick && positionals.length === 0;
const folder = values.out ?? (whole ? here('../docs') : undefined);
if (folder) await write(folder, `${texts.join('\n').trimEnd()}\n`, sections);
process.exit();
