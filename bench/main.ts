// npm run bench [-- --quick] [-- part …]: measures, prints, and writes docs/benchmarks.md.
import { readFile, writeFile } from 'node:fs/promises';
import { cpus, release, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { here, run } from './child.ts';
import { perCall } from './client/per-call.ts';
import { leases } from './leases/leases.ts';
import { quick, thorough } from './pace.ts';
import { markdown, type Section } from './report.ts';
import { service } from './service/service.ts';

const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: { quick: { type: 'boolean', default: false }, out: { type: 'string' } },
});

const pace = values.quick ? quick : thorough;

const parts: Readonly<Record<string, () => Promise<Section>>> = {
	client: () => perCall(pace.client),
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

const texts = [await machine()];
console.log(texts[0]);
for (const name of wanted) {
	const part = parts[name];
	if (!part) throw new Error(`There is no part ${name}: ${Object.keys(parts).join(', ')}`);
	const startedAt = performance.now();
	texts.push(markdown(await part()));
	console.log(texts.at(-1));
	console.error(`${name}: ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
}

// A single part or a quick run is not a benchmark to publish.
const whole = !values.quick && positionals.length === 0;
const folder = values.out ?? (whole ? here('../docs') : undefined);
if (folder) await writeFile(`${folder}/benchmarks.md`, `${texts.join('\n').trimEnd()}\n`);
process.exit();
