// npm run year: what months of use leave behind, in virtual time.
import { parseArgs } from 'node:util';
import { bundle } from '../bundle.ts';
import { commit, writeSection } from '../report.ts';
import { runApart } from './apart.ts';
import type { Census } from './census.ts';
import { describeYear } from './report.ts';
import type { YearOptions, YearResult } from './run.ts';

const { values } = parseArgs({
	options: {
		seed: { type: 'string', default: '1' },
		/** Days of many boards, and of few. */
		days: { type: 'string', default: '14' },
		/** Jobs of each of the many users on a working day, on average. */
		use: { type: 'string', default: '4' },
		'long-days': { type: 'string', default: '365' },
		jobs: { type: 'string', default: '2' },
		write: { type: 'boolean', default: false },
		help: { type: 'boolean', default: false },
	},
});
if (values.help) {
	console.log(`Usage: npm run year -- [options]

  --seed <number>       what it is generated from, 1 by default
  --days <number>       virtual days of 500 boards and 40 users, 14 by default
  --use <number>        what each of these users does on a working day, 4 leases on average by default
  --long-days <number>  virtual days of 20 boards and 4 users, 365 by default
  --jobs <number>       how many of the two at a time, 2 by default
  --write               write the result into docs/model.md

An interrupted run ends with the next count, and reports what it has run so far.`);
	process.exit();
}
const { seed } = values;
const many = { boards: 500, users: 40, replicas: 2, period: 1, activityDays: 1 };
const few = { boards: 20, users: 4, jobs: 1, replicas: 1, period: 28, activityDays: 28 };
const parts: YearOptions[] = [
	{ seed, ...few, days: Number(values['long-days']) },
	{ seed, ...many, days: Number(values.days), jobs: Number(values.use) },
].filter(({ days }) => days > 0);

const startedAt = commit();
const bundles = await bundle();
const results: YearResult[] = [];
const left = [...parts];
const work = async () => {
	for (let part = left.shift(); part; part = left.shift()) {
		const { boards } = part;
		const onCensus = (census: Census) =>
			console.log(`${boards} boards, day ${census.day}: ${JSON.stringify(census)}`);
		results.push(await runApart(bundles, part, onCensus));
	}
};
await Promise.all(Array.from({ length: Number(values.jobs) }, work));
const text = describeYear(results, startedAt);
console.log(text);
if (values.write) await writeSection('year', text);
if (results.some(({ violations }) => violations.length > 0)) process.exitCode = 1;
