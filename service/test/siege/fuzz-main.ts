// npm run fuzz [-- --requests 1000000 --seed 1 --postgres]: invalid requests over sockets.
import { parseArgs } from 'node:util';
import { startPostgres } from '../support/postgres.ts';
import { fuzzDatabase } from './fuzz.ts';
import { builtCommand } from './lab.ts';

const { values } = parseArgs({
	options: {
		requests: { type: 'string', default: '1000000' },
		seed: { type: 'string', default: String(Date.now() % 1e6) },
		postgres: { type: 'boolean', default: false },
	},
});
const cluster = values.postgres ? await startPostgres() : undefined;
const seed = Number(values.seed);
console.error(`Seed ${seed}`);
const result = await fuzzDatabase(
	{ main: builtCommand, cluster: cluster?.url },
	{ requests: Number(values.requests), seed },
);
await cluster?.remove();
console.log(JSON.stringify(result, null, 2));
if (result.violations.length > 0) process.exitCode = 1;
