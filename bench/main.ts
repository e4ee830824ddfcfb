// npm run bench [-- --quick] [-- part …]: measures, prints, and writes docs/benchmarks.md, and with `leases`
// docs/scaling-measured.md. `-- leases renewal queue` measures these rows of the leases.
import { readFile, writeFile } from 'node:fs/promises';
import { cpus, release, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { here, run } from './child.ts';
import { quick, thorough } from './pace.ts';
import { markdown, type Section } from './report.ts';

const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: { quick: { type: 'boolean', default: false }, out: { type: 'string' } },
});

const pace = values.quick ? quick : thorough;

const [first, ...others] = positionals;
const isLeases = first === 'leases';

// Loaded when they are measured, with what is installed for them.
const parts: Readonly<Record<string, () => Promise<Section>>> = {
	client: async () => (await import('./client/per-call.ts')).perCall(pace.client),
	service: async () => (await import('./service/service.ts')).service(pace.service),
};

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
		`Measured on ${new Date().toISOString().slice(0, 10)} at commit ${await commit()} by \`npm run bench\`, all in one run, on ${others.length + 1} × ${first?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${process.platform} ${release()}, Node ${process.version}. Ratios are more comparable between machines than times.`,
		'',
	].join('\n');
}

async function benchmarks() {
	const texts = ['# Benchmarks\n', await machine(), `${await versions()}.\n`];
	for (const name of first === undefined ? Object.keys(parts) : positionals) {
		const part = parts[name];
		if (!part) throw new Error(`There is no ${name}: ${Object.keys(parts).join(', ')}, leases`);
		texts.push(markdown(await part()));
		console.log(texts.at(-1));
	}
	return texts;
}

async function costOfLeases() {
	const { leases } = await import('./leases/leases.ts');
	const sections = await leases(pace.leases, others);
	return ['# Scaling: measured costs\n', await machine(), ...sections.map(markdown)];
}

const texts = await (isLeases ? costOfLeases() : benchmarks());
// A single part or a quick run is not one to publish.
const isWhole = !values.quick && positionals.length === (isLeases ? 1 : 0);
const folder = values.out ?? (isWhole ? here('../docs') : undefined);
const page = isLeases ? 'scaling-measured.md' : 'benchmarks.md';
if (folder) await writeFile(`${folder}/${page}`, `${texts.join('\n').trimEnd()}\n`);
process.exit();
