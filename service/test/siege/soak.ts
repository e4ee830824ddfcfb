// Many leases, one after the other, through replicas and one agent with emulated boards, each in its
// own process; then checks what is stuck, lost or still growing.
import { readFile } from 'node:fs/promises';
import { BoardAccess } from 'board-access';
import { newDatabase } from './database.ts';
import { contradictions } from './kills.ts';
import {
	emulated,
	importBoards,
	type Place,
	type Progress,
	runCommand,
	sampleFirmware,
	seedDatabase,
	startAgent,
	startService,
} from './lab.ts';
import { type Outcome, shown } from './report.ts';

interface SoakResult extends Outcome {
	leases: number;
	/** Leases that flashed firmware and waited for its first line. */
	flashed: number;
}

interface Soaking {
	leases: number;
	boards: number;
	users: number;
	progress?: Progress;
}

const boardType = 'soak-uno';

/** The memory of a process may grow by this factor after the first tenth of the leases, if it is warm by then. */
const maxGrowth = 1.5;
const leasesUntilWarm = 100;

export async function soak({ main, cluster }: Place, options: Soaking): Promise<SoakResult> {
	await using tables = await newDatabase(cluster);
	const database = tables.location;
	const { apiKey } = await seedDatabase(main, database);
	const boardIds = Array.from({ length: options.boards }, (_, index) => `brd_soak_${index + 1}`);
	const records = boardIds.map((id) => ({ id, name: id, board_type: boardType }));
	await importBoards(main, database, records);
	const words = ['agent', 'create', 'soak', '--board', ...boardIds];
	const token = await runCommand(main, database, ...words);
	await using opened = new AsyncDisposableStack();
	const first = opened.use(await startService({ main, database }));
	// Only one process at a time can use an SQLite database.
	const others = cluster ? [opened.use(await startService({ main, database }))] : [];
	await using agent = await startAgent(first.url, token, boardIds.map(emulated));
	const startedAt = performance.now();
	const lab = { apiKey, replicas: [first, ...others], processes: [first, ...others, agent] };
	const { samples, ...taken } = await takeLeases(lab, options);
	const seconds = (performance.now() - startedAt) / 1000;
	const growth = options.leases < 10 * leasesUntilWarm ? [] : findGrowth(samples);
	const memory = samples.map((sample) => sample.join(', ')).join(' → ');
	return {
		...taken,
		attack: `${shown(taken.leases)} leases of ${options.boards} emulated boards by ${options.users} users, in ${shown(seconds)} s`,
		outcome: `${shown(taken.flashed)} flashed firmware and waited for its first line; MB of each replica and of the agent, after each tenth: ${memory}`,
		problems: [...(await contradictions(tables, stuck)), ...growth],
	};
}

interface Lab {
	apiKey: string;
	replicas: readonly { url: string }[];
	/** The replicas and the agent. */
	processes: readonly { megabytes(): Promise<number> }[];
}

async function takeLeases(lab: Lab, { leases, users, progress }: Soaking) {
	const firmware = await readFile(sampleFirmware);
	const megabytes = async () =>
		(await Promise.all(lab.processes.map((each) => each.megabytes()))).map(Math.round);
	const samples = [await megabytes()];
	let [begun, done, flashed] = [0, 0, 0];
	const work = async ({ url: baseUrl }: { url: string }) => {
		const client = new BoardAccess({ baseUrl, apiKey: lab.apiKey, timeout: 120_000 });
		while (begun < leases) {
			begun += 1;
			const flashes = begun % 10 === 0;
			await using lease = await client.leases.create({ boardType, waitMs: 120_000 });
			if (flashes) {
				await lease.flash(firmware);
				await lease.console.expect(/Hello/);
				flashed += 1;
			}
			await lease.release();
			done += 1;
			progress?.(done, leases);
			if (done % Math.ceil(leases / 10) === 0) samples.push(await megabytes());
		}
	};
	const each = Array.from({ length: users / lab.replicas.length }, () => lab.replicas.map(work));
	await Promise.all(each.flat());
	return { leases: done, flashed, samples };
}

/** Rows that must not exist once every lease has been released. */
const stuck = {
	'a lease that did not end as released':
		"select id, status, end_reason, end_message from leases where status <> 'ended' or end_reason <> 'released'",
	'an action of a lease that has ended':
		"select id, lease_id, action, status from lease_actions where status not in ('done', 'failed')",
	'a board that is not available': `select id, status, status_reason from boards where board_type = '${boardType}' and status <> 'available'`,
	'a board that no lease had': `select id from boards where board_type = '${boardType}' and fence = 0`,
};

/** The processes, of which the agent is the last, whose memory keeps growing once their caches are warm. */
function findGrowth([, warm = [], ...later]: readonly number[][]) {
	const last = later.at(-1) ?? [];
	return warm.flatMap((before, index) => {
		const name = index === warm.length - 1 ? 'the agent' : `replica ${index + 1}`;
		const after = last[index] ?? 0;
		return after > before * maxGrowth ? [`${name} grew from ${before} to ${after} MB`] : [];
	});
}
