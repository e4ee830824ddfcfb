// npm run simulation [-- --boards 100000 --leases 10000 --agents 500 --seconds 15 | --quick]: measures a
// service of this size, in real processes on a real database, with simulated agents and users. Without
// options it writes docs/scaling-measured.md. Fails if a lease or a console byte is lost.
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { builtCommand } from '../siege/lab.ts';
import { loadNow } from '../siege/report.ts';
import { openPostgres, openSqlite } from './databases.ts';
import { planOf } from './plan.ts';
import { report } from './report.ts';
import { type Simulation, simulate } from './simulate.ts';

const { values } = parseArgs({
	options: {
		boards: { type: 'string' },
		leases: { type: 'string' },
		agents: { type: 'string' },
		seconds: { type: 'string' },
		/** 2,000 boards and 100 leases, in about a minute. */
		quick: { type: 'boolean' },
	},
});
const { quick, ...wanted } = values;
const plan = planOf({
	...(quick && { boards: 2_000, leases: 100, agents: 10, seconds: 2 }),
	...Object.fromEntries(Object.entries(wanted).map(([name, text]) => [name, Number(text)])),
});
const options = { main: builtCommand, note: (text: string) => console.error(text) };

const load = loadNow();
const simulations: Simulation[] = [];
for (const open of [openSqlite, openPostgres]) {
	await using database = await open();
	console.error(database.kind);
	simulations.push(await simulate(database, plan[database.kind], options));
}

const command = ['npm run simulation --', ...process.argv.slice(2)].join(' ');
const text = report(simulations, command, load);
const page = new URL('../../../docs/scaling-measured.md', import.meta.url);
if (Object.keys(values).length === 0) await writeFile(page, text);
console.log(text);
if (simulations.some(({ losses }) => losses.length > 0)) process.exitCode = 1;
