// npm run soak [-- --leases 10000]: leases twenty emulated boards repeatedly on PostgreSQL. The
// full run writes docs/soak.md.
import { writeFile } from 'node:fs/promises';
import { availableParallelism, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { startPostgres } from '../support/postgres.ts';
import { builtCommand } from './lab.ts';
import { type SoakResult, soak } from './soak.ts';

const fullRun = '10000';
const boards = 20;
const users = 30;

const { values } = parseArgs({ options: { leases: { type: 'string', default: fullRun } } });
const leases = Number(values.leases);
const cluster = await startPostgres();
const startedAt = performance.now();
try {
	const place = { main: builtCommand, cluster: cluster.url };
	const result = await soak(place, { leases, boards, users, onTenth });
	const text = summary(result);
	if (values.leases === fullRun)
		await writeFile(new URL('../../../docs/soak.md', import.meta.url), text);
	console.log(text);
	if (result.problems.length > 0) process.exitCode = 1;
} finally {
	await cluster.remove();
}

function onTenth(done: number) {
	console.error(`${done} leases after ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
}

function summary({ leases, flashed, samples, problems, seconds }: SoakResult) {
	const rows = samples.map((sample, index) => `| ${index + 1} | ${sample.join(' | ')} |`);
	const found = problems.map((problem) => `- ${problem}\n`);
	return `# Soak

Measured on ${new Date().toISOString().slice(0, 10)} by \`npm run soak -- --leases ${leases}\`: ${users} users, two replicas on one PostgreSQL database, and one agent with ${boards} emulated Arduino Unos, all on one machine with ${availableParallelism()} processors (load at the end: ${(loadavg()[0] ?? 0).toFixed(1)}). \`service/test/siege.long.test.ts\` is the short form.

${leases.toLocaleString('en')} leases were granted and released in ${seconds.toFixed(0)} s; ${flashed.toLocaleString('en')} of them flashed firmware and waited for its first line. Afterwards every lease had ended as released, every board was available, and no process used more than 1.5 times as much memory as after the first tenth${found.length > 0 ? ', except:' : '.'}

${found.join('')}
| sample | replica 1, MB | replica 2, MB | agent, MB |
| --: | --: | --: | --: |
${rows.join('\n')}
`;
}
