// What a live lease costs: its renewals, and the output of its board.
import { setTimeout as wait } from 'node:timers/promises';
import { open } from '../../service/test/siege/attacks/send.ts';
import { summaryOf } from '../../service/test/siege/report.ts';
import type { Pace } from '../pace.ts';
import { type Figure, type Finding, figure } from './figures.ts';
import {
	type Kind,
	type Lab,
	type Lease,
	preparedLeases,
	prepareLeases,
	renew,
	repeat,
	type Site,
} from './lab.ts';
import { each, times } from './meter.ts';

export async function renewal(
	site: Site,
	{ live, seconds, restSeconds }: Pace['leases'],
): Promise<Finding> {
	await using lab = await site.open('PostgreSQL');
	const held = await prepareLeases(lab, live);
	const renewOne = (index: number) => renew(held[index % held.length] as Lease); // there is one at least
	await repeat({ loops: 8, times: held.length }, renewOne);
	const background = await lab.background(restSeconds);
	const all = await lab.measure(() => repeat({ loops: 8, seconds }, renewOne));
	const cost = each(all, all.result.length, background);
	const { service, database, statements } = cost;
	const loads = [['1,000 leases, renewed every 40 s', times(cost, 1_000 / 40)]] as const;
	const alone = await repeat({ loops: 1, seconds: seconds / 2 }, renewOne);
	return {
		title: 'Renewing a lease (PostgreSQL)',
		text: `${live} live leases, each renewed once before, are renewed 8 at a time; the latency is measured one after the other. The agent is told of each renewal.`,
		loads,
		figures: [
			figure('statements', statements, '', { most: 3, before: '8.2' }),
			figure('CPU of the service', service, 'ms', { most: 0.5, before: '1.0 ms' }),
			figure('CPU of PostgreSQL', database, 'ms', { most: 0.5, before: '1.8 ms' }),
			figure('p50', summaryOf(alone).p50, 'ms'),
		],
	};
}

export const line = Buffer.alloc(100, 'the firmware says hello; ');

/** Boards that print a line now and then, and a reader of each. */
interface Printing {
	/** Milliseconds between two lines. */
	every: number;
	seconds: number;
}

async function print(lab: Lab, held: readonly Lease[], { every, seconds }: Printing) {
	const cut = new AbortController();
	const consoles = await Promise.all(held.map((lease) => follow(lease, cut.signal)));
	const run = (length: number) => {
		const startedAt = performance.now();
		return Promise.all(
			consoles.map(async ({ boardId, sent }, index) => {
				let due = startedAt + (every * index) / consoles.length;
				for (; due < startedAt + length * 1_000; due += every) {
					await wait(Math.max(0, due - performance.now()));
					sent.push(performance.now());
					lab.agents.outputs.get(boardId)?.(line);
				}
			}),
		);
	};
	await run(seconds / 2);
	const startedAt = performance.now();
	const before = lab.agents.requests.console;
	const used = await lab.measure(() => run(seconds));
	const reports = lab.agents.requests.console - before;
	await wait(1_000);
	const lines = consoles.flatMap(({ sent, read }) =>
		sent.map((at, index) => ({ at, took: (read[index] ?? Number.NaN) - at })),
	);
	const printed = lines.filter(({ at }) => at >= startedAt).map(({ took }) => took);
	cut.abort();
	return { used, reports, printed };
}

/** Reads a console, and notes when each line arrives. */
async function follow(lease: Lease, signal: AbortSignal) {
	const [sent, read]: [number[], number[]] = [[], []];
	const response = await open({ ...lease, path: `/v1/leases/${lease.id}/console`, signal });
	let bytes = 0;
	const reading = async () => {
		for await (const chunk of response) {
			bytes += chunk.length;
			while (read.length < Math.floor(bytes / line.length)) read.push(performance.now());
		}
	};
	reading().catch(() => {});
	return { boardId: lease.board_id, sent, read };
}

export async function report(site: Site, pace: Pace['leases']): Promise<Finding> {
	const postgres = await reportOn('PostgreSQL', site, pace);
	const sqlite = await reportOn('SQLite', site, pace);
	const name = '1,000 leases with one console report a second each';
	return {
		loads: [[name, times(postgres.cost, 1_000)]],
		title: 'A console report with one reader',
		text: `Boards that print a line of ${line.length} bytes twice a second, each with one reader; the agents decide when they report it. CPU for each report, without the background.`,
		figures: [...postgres.figures, ...sqlite.figures],
	};
}

async function reportOn(
	kind: Kind,
	site: Site,
	{ printing, seconds, restSeconds }: Pace['leases'],
) {
	await using lab = await site.open(kind);
	const held = await prepareLeases(lab, printing.few);
	const background = await lab.background(restSeconds);
	const { used, reports, printed } = await print(lab, held, { every: 500, seconds });
	const cost = each(used, reports, background);
	const isPostgres = kind === 'PostgreSQL';
	const figures: Figure[] = [
		figure(`${kind}: CPU of the service`, cost.service, 'ms', {
			most: isPostgres ? 0.3 : 0.4,
			before: isPostgres ? '1.5 ms together' : '1.5 ms',
		}),
		...(isPostgres
			? [
					figure('PostgreSQL: CPU of the database', cost.database, 'ms', { most: 0.3 }),
					figure('PostgreSQL: statements', cost.statements, ''),
				]
			: []),
		figure(`${kind}: from the board to its reader, p50`, summaryOf(printed).p50, 'ms'),
		figure(`${kind}: reports measured`, reports, ''),
	];
	return { cost, figures };
}

export async function printing(
	site: Site,
	{ printing, seconds }: Pace['leases'],
): Promise<Finding> {
	await using lab = await site.open('PostgreSQL');
	const held = await prepareLeases(lab, printing.many);
	const { used, reports, printed } = await print(lab, held, {
		every: 100,
		seconds,
	});
	const cores = (milliseconds: number) => milliseconds / used.seconds / 1000;
	const kilobytes = (printed.length * line.length) / 1000 / used.seconds / printing.many;
	const { service, database, harness } = used.used;
	const { p50, p95 } = summaryOf(printed);
	const inTime = printed.filter((took) => took <= 1_000).length / printed.length;
	return {
		title: 'Boards that print all the time (PostgreSQL)',
		text: `${printing.many} boards that print a line of ${line.length} bytes ten times a second, each with one reader. The boards, their agents and the readers run in one process on the same processors.`,
		figures: [
			figure('printed by each board a second', kilobytes, 'kB', { least: 0.95 }),
			figure('of that, read within a second', inTime * 100, '%', { least: 95 }),
			figure('service and database', cores(service + database), 'cores', { most: 2 }),
			figure('service', cores(service), 'cores'),
			figure('agents and readers', cores(harness), 'cores'),
			figure('reports a second', reports / used.seconds, ''),
			figure('from the board to its reader, p50', p50, 'ms'),
			figure('from the board to its reader, p95', p95, 'ms'),
		],
	};
}

/** Pairs of creation and release on each database. */
export async function pairs(site: Site, { seconds }: Pace['leases']): Promise<Finding> {
	const figures = [];
	for (const kind of ['SQLite', 'PostgreSQL'] as const) {
		await using lab = await site.open(kind);
		using prepared = preparedLeases(lab);
		await repeat({ loops: 8, seconds: seconds / 2 }, prepared.pair);
		const sent = lab.agents.requests.actions;
		const all = await lab.measure(() => repeat({ loops: 8, seconds }, prepared.pair));
		const reports = (lab.agents.requests.actions - sent) / all.result.length;
		const rate = all.result.length / all.seconds;
		const least = kind === 'SQLite' ? 350 : 250;
		const before = kind === 'SQLite' ? '285' : '116';
		const cores = all.used.harness / all.seconds / 1000;
		figures.push(
			figure(`${kind}: pairs a second`, rate, '', { least, before }),
			figure(`${kind}: p50`, summaryOf(all.result).p50, 'ms'),
			figure(`${kind}: reports of the agent for each`, reports, '', { most: 1 }),
			figure(`${kind}: users and agents meanwhile`, cores, 'cores'),
		);
	}
	return {
		title: 'Pairs of creation and release',
		text: 'Each with the reports of the agent in between, 8 at a time, after half as long to warm up. Users and agents share the processors with the service and the database.',
		figures,
	};
}
