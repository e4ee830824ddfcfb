// npm run soak [-- leases [file]]: many leases through twenty emulated boards, two replicas and one
// agent. Fails if a lease gets stuck, if a board is not free at the end, or if memory keeps growing.
// The full run, 10,000 leases, writes docs/soak.md.
import { readFile, writeFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { BoardAccess } from '../dist/index.js';
import { here } from './child.ts';
import { type Lab, openLab } from './leases/lab.ts';

const boardType = 'arduino-uno';
const boardCount = 20;
const users = 30;

const fullRun = 10_000;
/** Memory of a process may grow by this factor after the first tenth of the leases. */
const mostGrowth = 1.5;

const [, , leases = fullRun, givenFile] = process.argv;
const wanted = Number(leases);
const file = givenFile ?? (wanted === fullRun ? here('../docs/soak.md') : undefined);
const lab = await openLab(boardCount);
const clients = lab.replicas.map(
	({ origin }) => new BoardAccess({ baseUrl: origin, apiKey: lab.apiKey, timeout: 120_000 }),
);
const [client] = clients;
if (!client) throw new Error('There is no replica');
const firmware = await readFile(here('../agent/firmware/uno-sample.hex'));
for (const { id } of await client.admin.baseImages.list({ boardType })) {
	await client.admin.baseImages.delete(id);
}
while ((await freeBoards()).length < boardCount) await wait(100);

const samples = [await megabytes(lab)];
let begun = 0;
let done = 0;
let flashed = 0;
const startedAt = performance.now();
try {
	await Promise.all(Array.from({ length: users }, (_, index) => work(index)));
} catch (error) {
	// What the soak has started would outlive it.
	await lab.close();
	throw error;
}
const seconds = (performance.now() - startedAt) / 1000;
samples.push(await megabytes(lab));
await wait(2_000);
const free = await freeBoards();
await lab.close();
if (file) await writeFile(file, summary());
console.log(summary());
if (done !== wanted || free.length !== boardCount || growing().length > 0) process.exitCode = 1;

async function work(index: number) {
	const own = clients[index % clients.length] ?? client;
	while (begun < wanted) {
		begun += 1;
		const mine = begun;
		await using lease = await own?.leases.create({ boardType, waitSeconds: 120 });
		if (!lease) return;
		if (mine % 10 === 0) {
			await lease.flash(firmware);
			await lease.console.expect(/Hello/);
			flashed += 1;
		}
		await lease.release();
		done += 1;
		if (done % Math.ceil(wanted / 10) === 0) {
			console.error(`${done} leases in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
			samples.push(await megabytes(lab));
		}
	}
}

async function freeBoards() {
	return (await client?.boards.list({ boardType, status: 'available' })) ?? [];
}

async function megabytes({ replicas, agent }: Lab) {
	const all = [...replicas, agent].map((each) => each.resident());
	return (await Promise.all(all)).map((bytes) => Math.round(bytes / 1e6));
}

/** The processes whose memory keeps growing once the caches are warm. */
function growing() {
	const [, warm = [], ...later] = samples;
	const last = later.at(-1) ?? [];
	const names = ['replica 1', 'replica 2', 'agent'];
	return names.filter((_, index) => (last[index] ?? 0) > (warm[index] ?? 0) * mostGrowth);
}

function summary() {
	const rows = samples.map((sample, index) => `| ${index + 1} | ${sample.join(' | ')} |`);
	return `# Soak

Measured on ${new Date().toISOString().slice(0, 10)} by \`npm run soak\`: ${users} users, two replicas on one PostgreSQL, one agent with ${boardCount} emulated Arduino Unos, all on one machine.

${done.toLocaleString('en')} of ${wanted.toLocaleString('en')} leases were granted and released in ${seconds.toFixed(0)} s; ${flashed.toLocaleString('en')} of them flashed firmware and waited for its first line. At the end ${free.length} of ${boardCount} boards were available, and the memory of ${growing().join(' and ') || 'no process'} kept growing.

| sample | replica 1, MB | replica 2, MB | agent, MB |
| --: | --: | --: | --: |
${rows.join('\n')}
`;
}
