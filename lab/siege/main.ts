// npm run siege [-- loads kills fuzz]: attacks the service on both databases, and prints what came of it.
import { parseArgs } from 'node:util';
import { startPostgres } from '../../core/test/support/postgres.ts';
import { type Outcome, table } from '../support/figures.ts';
import { builtCommand, type Place, printProgress } from '../support/service.ts';
import { besiege } from './attacks/besiege.ts';
import { fuzzDatabase } from './fuzz.ts';
import { killDatabase } from './kills.ts';

const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: {
		database: { type: 'string', multiple: true, default: ['SQLite', 'PostgreSQL'] },
		seconds: { type: 'string', default: '10' },
		attack: { type: 'string', multiple: true },
		kills: { type: 'string', default: '1000' },
		requests: { type: 'string', default: '1000000' },
		seed: { type: 'string', default: '1' },
	},
});

/** Each prints its results, and returns whether the service held. */
const parts: Readonly<Record<string, (place: Place) => Promise<boolean>>> = {
	async loads(place) {
		const only = values.attack;
		const measured = await besiege({ ...place, seconds: Number(values.seconds), only });
		const rows = measured.map(({ name, quiet, attacked, limit, held }) => [
			...[name, quiet, attacked, limit, held ? 'yes' : '**no**'],
		]);
		console.log(table(['Attack', 'Others, quiet', 'Others, attacked', 'Limit', 'Held'], rows));
		return measured.every(({ held }) => held);
	},
	async kills(place) {
		const progress = printProgress('kills');
		return print(await killDatabase(place, { kills: Number(values.kills), progress }));
	},
	async fuzz(place) {
		const progress = printProgress('requests');
		const wanted = { requests: Number(values.requests), seed: Number(values.seed), progress };
		return print(await fuzzDatabase(place, wanted));
	},
};

function print({ attack, outcome, problems }: Outcome) {
	console.log([attack, outcome, ...problems].join('\n'));
	return problems.length === 0;
}

for (const database of values.database) {
	const cluster = database === 'PostgreSQL' ? await startPostgres() : undefined;
	for (const name of positionals.length > 0 ? positionals : Object.keys(parts)) {
		const part = parts[name];
		if (!part) throw new Error(`Unknown part ${name}: ${Object.keys(parts).join(', ')}`);
		console.log(`\n${name} on ${database}`);
		if (!(await part({ main: builtCommand, cluster: cluster?.url }))) process.exitCode = 1;
	}
	await cluster?.remove();
}
