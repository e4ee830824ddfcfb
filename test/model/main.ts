// npm run model -- --histories N [--seed S] [--jobs J]: runs histories over all cores, until it is interrupted.
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { bundle } from './bundle.ts';
import { describeFailure, findFailure } from './failure.ts';
import { findMutants } from './mutants-main.ts';
import { createPool } from './pool.ts';
import {
	addRun,
	commit,
	describeMutants,
	describeRun,
	firstSeedOf,
	writeSection,
} from './report.ts';

const { values } = parseArgs({
	options: {
		histories: { type: 'string', default: '1000' },
		seed: { type: 'string' },
		jobs: { type: 'string', default: String(availableParallelism()) },
		/** Of another checkout, to see what it does. */
		folder: { type: 'string' },
		/** How many failures are shrunk and shown. */
		show: { type: 'string', default: '3' },
		mutants: { type: 'boolean', default: false },
		/** Adds the run to docs/model.md. */
		write: { type: 'boolean', default: false },
		/** Only the mutants whose description contains it. */
		word: { type: 'string', default: '' },
		help: { type: 'boolean', default: false },
	},
});
if (values.help) {
	console.log(`Usage: npm run model -- [options]

  --histories <number>  how many histories to run, 1000 by default
  --seed <number>       the first seed, by default another one for each commit
  --jobs <number>       how many at a time, one for each core by default
  --folder <folder>     another checkout, to see what it does
  --show <number>       how many failures to shrink and show, 3 by default
  --mutants             put known bugs back, and find each of them
  --word <text>         only the mutants whose description contains it
  --write               add the run to docs/model.md, or write what became of the mutants`);
	process.exit();
}
const startedAt = commit();
const first = Number(values.seed ?? (values.mutants ? 1 : firstSeedOf(startedAt)));
const histories = Number(values.histories);
if (values.mutants) {
	const found = await findMutants({
		first,
		most: histories,
		jobs: Number(values.jobs),
		word: values.word,
		onFound: ({ mutant, seed, rule, histories }) =>
			console.log(
				`${seed === undefined ? 'SURVIVED' : 'found   '} ${mutant.row}: ${mutant.bug}: ${rule} (seed ${seed}, ${histories} histories)`,
			),
	});
	if (values.write) await writeSection('mutants', describeMutants(found));
	process.exit(found.every(({ seed }) => seed !== undefined) ? 0 : 1);
}
const pool = await createPool(await bundle([], values.folder), Number(values.jobs));
const began = performance.now();
const failed = new Map<string, string[]>();
let cost = 0;
let done = 0;
let isStopped = false;
process.once('SIGINT', () => {
	isStopped = true;
});
await pool.run(seeds(first, histories), ({ seed, outcome, cost: own }) => {
	cost += own;
	done += 1;
	for (const rule of new Set(outcome.violations.map((violation) => violation.rule))) {
		const { what = '' } = outcome.violations.find((violation) => violation.rule === rule) ?? {};
		const seeds = failed.get(rule) ?? [];
		failed.set(rule, [...seeds, seed]);
		if (seeds.length < 5) console.log(`seed ${seed}: ${rule}: ${what}`);
	}
	return !isStopped;
});
const seconds = (performance.now() - began) / 1000;
console.log(
	`${done} histories from seed ${first} in ${seconds.toFixed(0)} s: ${(done / seconds).toFixed(1)} a second, ${(cost / done).toFixed(0)} ms of processor time each`,
);
for (const [rule, seeds] of failed) {
	console.log(`${String(seeds.length).padStart(6)}  ${rule}: ${seeds.slice(0, 10).join(' ')}`);
}
const row = describeRun({ commit: startedAt, first, histories: done, seconds, failed });
console.log(row);
if (values.write) await addRun(row);
for (const [rule, [seed = '']] of [...failed].slice(0, Number(values.show))) {
	console.log(describeFailure(await findFailure(pool, seed, rule)));
}
await pool.close();
if (failed.size > 0) process.exitCode = 1;

function* seeds(first: number, histories: number) {
	for (let seed = first; seed < first + histories; seed++) yield { seed: String(seed) };
}
