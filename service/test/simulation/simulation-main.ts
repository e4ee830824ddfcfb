// npm run simulation [-- --boards 100000 --leases 10000 --agents 500 --seconds 15 | --quick]: measures a
// service of this size, in real processes on a real database, with simulated agents and users. Without
// options it writes docs/scaling-measured.md. Fails if a lease or a console byte is lost.
import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { builtCommand } from '../siege/lab.ts';
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
		quick: { type: 'boolean', default: false },
		/** Where the report is written. */
		file: { type: 'string' },
	},
});
const { quick, file, ...wanted } = values;
const full = !quick && Object.keys(wanted).length === 0;
const plan = planOf({
	...(quick && { boards: 2_000, leases: 100, agents: 10, seconds: 2 }),
	...Object.fromEntries(Object.entries(wanted).map(([name, text]) => [name, Number(text)])),
});
const options = { main: builtCommand, note: (text: string) => console.error(text) };

const simulations: Simulation[] = [];
for (const open of [openSqlite, openPostgres]) {
	const database = await open();
	console.error(database.kind);
	try {
		simulations.push(await simulate(database, plan[database.kind], options));
	} finally {
		await database.remove();
	}
}

const target =
	file ?? (full ? new URL('../../../docs/scaling-measured.md', import.meta.url) : null);
const command = ['npm run simulation', ...process.argv.slice(2)]
	.join(' ')
	.replace('simulation ', 'simulation -- ');
const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
const text = report(simulations, { command, commit });
if (target) await writeFile(target, text);
console.log(text);
if (simulations.some(({ losses }) => losses.length > 0)) process.exitCode = 1;
