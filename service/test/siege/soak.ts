// Many leases, one after the other, through replicas and one agent with emulated boards, each in its
// own process; then checks what is stuck, lost or still growing.
import { readFile } from 'node:fs/promises';
import { BoardAccess } from 'board-access';
import { contradictions } from './kills.ts';
import {
	emulated,
	importBoards,
	newDatabase,
	type Place,
	type Progress,
	runCommand,
	type SiegeDatabase,
	sampleFirmware,
	seedDatabase,
	startAgent,
	startService,
} from './lab.ts';

export interface SoakResult {
	leases: number;
	/** Leases that flashed firmware and waited for its first line. */
	flashed: number;
	/** Megabytes of each process: at the start, and after each tenth of the leases. */
	samples: number[][];
	/** What differs from before the leases; empty after a good run. */
	problems: string[];
	seconds: number;
}

interface Soaking {
	leases: number;
	boards: number;
	users: number;
	progress?: Progress;
}

const boardType = 'soak-uno';

/** The memory of a process may grow by this factor after the first tenth of the leases. */
const mostGrowth = 1.5;

export async function soak(place: Place, options: Soaking): Promise<SoakResult> {
	const database = await newDatabase(place.cluster);
	const opened: (() => Promise<void>)[] = [async () => void (await database.remove())];
	try {
		const lab = await openLab(place, database, { ...options, opened });
		const startedAt = performance.now();
		const { done, flashed, samples } = await takeLeases(lab, options);
		const seconds = (performance.now() - startedAt) / 1000;
		const problems = [...(await findStuck(database)), ...findGrowth(lab.names, samples)];
		return { leases: done, flashed, samples, seconds, problems };
	} finally {
		for (const close of opened.reverse()) await close();
	}
}

interface Opening {
	boards: number;
	/** Collects the functions that close what was opened. */
	opened: (() => Promise<void>)[];
}

async function openLab(
	place: Place,
	{ location: database }: SiegeDatabase,
	{ boards, opened }: Opening,
) {
	const { main, cluster } = place;
	const { apiKey } = await seedDatabase(main, database);
	const boardIds = Array.from({ length: boards }, (_, index) => `brd_soak_${index + 1}`);
	const records = boardIds.map((id) => ({ id, name: id, board_type: boardType }));
	await importBoards(main, database, records);
	// Only one process at a time can use an SQLite database.
	const replicas = [await startService({ main, database })];
	opened.push(() => replicas[0]?.stop() ?? Promise.resolve());
	if (cluster !== undefined) {
		const second = await startService({ main, database });
		replicas.push(second);
		opened.push(() => second.stop());
	}
	const words = ['agent', 'create', 'soak', '--board', ...boardIds];
	const token = await runCommand(main, database, ...words);
	const agent = await startAgent(replicas[0]?.url ?? '', token, boardIds.map(emulated));
	opened.push(agent.stop);
	const clients = replicas.map(
		({ url }) => new BoardAccess({ baseUrl: url, apiKey, timeout: 120_000 }),
	);
	return {
		clients,
		names: [...replicas.map((_, index) => `replica ${index + 1}`), 'agent'],
		megabytes: async () => {
			const all = [...replicas, agent].map((each) => each.megabytes());
			return (await Promise.all(all)).map(Math.round);
		},
	};
}

type Lab = Awaited<ReturnType<typeof openLab>>;

async function takeLeases({ clients, megabytes }: Lab, { leases, users, progress }: Soaking) {
	const firmware = await readFile(sampleFirmware);
	const samples = [await megabytes()];
	let begun = 0;
	let done = 0;
	let flashed = 0;
	const work = async (client: BoardAccess) => {
		while (begun < leases) {
			begun += 1;
			const flashes = begun % 10 === 0;
			await using lease = await client.leases.create({ boardType, waitSeconds: 120 });
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
	const each = Array.from({ length: users / clients.length }, () => clients.map(work));
	await Promise.all(each.flat());
	return { done, flashed, samples };
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

async function findStuck(database: SiegeDatabase) {
	const problems = await contradictions(database);
	for (const [what, statement] of Object.entries(stuck)) {
		const rows = await database.run(statement);
		if (rows.length > 0) problems.push(`${what}: ${JSON.stringify(rows.slice(0, 3))}`);
	}
	return problems;
}

/** The processes whose memory keeps growing once their caches are warm. */
function findGrowth(names: readonly string[], [, warm = [], ...later]: readonly number[][]) {
	const last = later.at(-1) ?? [];
	return names.flatMap((name, index) => {
		const [before = 0, after = 0] = [warm[index], last[index]];
		return after > before * mostGrowth ? [`${name} grew from ${before} to ${after} MB`] : [];
	});
}
