// Everything at once: many leases, two replicas, and requests at fixed rates, however slow the responses.
import { setTimeout as wait } from 'node:timers/promises';
import { rejections, send } from '../../service/test/siege/attacks/send.ts';
import { summaryOf } from '../../service/test/siege/report.ts';
import type { Pace } from '../pace.ts';
import { type Figure, type Finding, figure } from './figures.ts';
import {
	type Kind,
	type Lab,
	type Lease,
	prepareLeases,
	release,
	renew,
	type Site,
	userOf,
} from './lab.ts';
import { line } from './live.ts';
import { boardTypes } from './seed.ts';

/** Requests beyond this are counted as not sent. */
const maxUnderWay = 500;

export async function load(site: Site, pace: Pace['leases']): Promise<Finding> {
	const { agents } = site.size;
	const { leases, loadSeconds: seconds } = pace;
	const postgres = await loadOn('PostgreSQL', site, { leases, agents, replicas: 2, seconds });
	const few = { leases: leases / 10, agents: agents / 10, replicas: 1, seconds };
	const sqlite = await loadOn('SQLite', site, few);
	return {
		title: 'All at once',
		text: `For ${seconds} s each. ${postgres.text} ${sqlite.text} A console report is timed from the output of the board to the confirmation of its agent.`,
		figures: [...postgres.figures, ...sqlite.figures],
	};
}

interface Size {
	leases: number;
	agents: number;
	replicas: number;
	seconds: number;
}

async function loadOn(kind: Kind, site: Site, { leases: count, agents, replicas, seconds }: Size) {
	await using lab = await site.open(kind, { agents, replicas });
	const held = await prepareLeases(lab, count);
	const work = workOf(lab, held);
	/** Not fewer than one every two seconds, so that each is measured. */
	const rate = (everySeconds: number) => Math.max(count / everySeconds, 0.5);
	const rates = {
		...{ renew: rate(40), 'console report': rate(50), 'list boards': rate(500) },
		...{ 'read lease': rate(500), create: rate(5_000), release: rate(5_000) },
	};
	await atRates(work.operations, rates, seconds / 4);
	const rejected = rejections.count;
	const all = await lab.measure(() => atRates(work.operations, rates, seconds));
	const { unsent, times } = all.result;
	const cores = (milliseconds: number) => milliseconds / all.seconds / 1_000;
	const { service, database, harness } = all.used;
	const lost = await losses(lab, work);
	if (lost.length > 0) process.exitCode = 1;
	const isJudged = kind === 'PostgreSQL';
	const rateTexts = Object.entries(rates).map(([name, rate]) => `${rate} ${name}`);
	const outcome =
		lost.length === 0
			? 'At the end, every lease was live, and every byte of output was stored.'
			: `**Lost: ${lost.join('; ')}**`;
	const figures: Figure[] = [
		figure('requests not sent', unsent, '', isJudged ? { most: 0, before: '984' } : {}),
		figure('requests rejected as overloaded', rejections.count - rejected, ''),
		...Object.entries(times).flatMap(([name, all]): Figure[] => {
			const { p50, p95 } = summaryOf(all);
			return [
				figure(`${name}: p50`, p50, 'ms'),
				figure(`${name}: p95`, p95, 'ms', isJudged ? { most: 100, before: '2 to 3 s' } : {}),
			];
		}),
		figure('service', cores(service), 'cores'),
		...(isJudged ? [figure('database', cores(database), 'cores')] : []),
		figure('users and agents', cores(harness), 'cores'),
		figure('lost leases and bytes', lost.length, '', { most: 0 }),
	];
	return {
		text: `On ${kind} with ${replicas === 1 ? 'one process' : `${replicas} processes`}, ${count.toLocaleString('en')} leases and ${agents} agents, a second: ${rateTexts.join(', ')}. ${outcome}`,
		figures: figures.map((figure) => ({ ...figure, name: `${kind}: ${figure.name}` })),
	};
}

function workOf(lab: Lab, held: Lease[]) {
	let turn = 0;
	const next = () => {
		const lease = held[++turn % held.length];
		if (!lease) throw new Error('There is no lease');
		return lease;
	};
	const state = { held, printed: 0 };
	const operations = {
		renew: () => renew(next()),
		async 'console report'() {
			const { board_id } = next();
			const output = lab.agents.outputs.get(board_id);
			// The lease is new, and its board not prepared.
			if (!output) return;
			const confirmed = lab.agents.confirmed(board_id);
			state.printed += line.length;
			output(line);
			await confirmed;
		},
		'list boards'() {
			const type = boardTypes[++turn % boardTypes.length];
			const path = `/v1/boards?limit=20&status=available&board_type=${type}`;
			return send({ ...userOf(lab, turn), path });
		},
		'read lease'() {
			const lease = next();
			return send({ ...lease, path: `/v1/leases/${lease.id}` });
		},
		async create() {
			const body = { board_type: boardTypes[++turn % boardTypes.length], minutes: 120 };
			held.push(await userOf(lab, turn).create(body));
		},
		async release() {
			const lease = held.shift();
			if (lease) await release(lease);
		},
	} satisfies Record<string, () => Promise<unknown>>;
	return { operations, state };
}

type Work = ReturnType<typeof workOf>;
type Operations = Work['operations'];

async function atRates(
	operations: Operations,
	rates: Readonly<Record<keyof Operations, number>>,
	seconds: number,
) {
	// The keys of the rates are names: TypeScript widens them to strings.
	const all = Object.entries(rates) as [keyof Operations, number][];
	const begun = new Map(all.map(([name]) => [name, 0]));
	const times = Object.fromEntries(all.map(([name]) => [name, [] as number[]]));
	const underWay = new Set<Promise<unknown>>();
	let unsent = 0;
	const startedAt = performance.now();
	const timed = async (name: keyof Operations) => {
		const sentAt = performance.now();
		await operations[name]();
		times[name]?.push(performance.now() - sentAt);
	};
	for (let passed = 0; passed < seconds; passed = (performance.now() - startedAt) / 1000) {
		for (const [name, rate] of all) {
			for (let due = Math.floor(rate * passed) - (begun.get(name) ?? 0); due > 0; due -= 1) {
				begun.set(name, (begun.get(name) ?? 0) + 1);
				if (underWay.size >= maxUnderWay) {
					unsent += 1;
					continue;
				}
				const one = timed(name);
				underWay.add(one);
				one.then(() => underWay.delete(one));
			}
		}
		await wait(5);
	}
	await Promise.all(underWay);
	return { unsent, times };
}

/** Leases that should be live and are not, and output that is missing. */
async function losses({ database, agents }: Lab, { state: { held } }: Work) {
	// An agent learns with a small delay what has begun and ended.
	await wait(3_000);
	const [row] = await database.run(`select
		(select count(*) from leases where status = 'active') as active,
		(select count(*) from boards where status = 'in_use') as boards,
		(select sum(console_end) from leases) as offsets,
		(select sum(length(data)) from console_chunks where direction = 'output') as stored`);
	const numbers = [
		['leases that are active', Number(row?.active), held.length],
		['boards in use', Number(row?.boards), held.length],
		['leases that agents serve', agents.outputs.size, held.length],
		['console bytes by the offsets', Number(row?.offsets), agents.requests.bytes],
		['console bytes stored', Number(row?.stored), agents.requests.bytes],
	] as const;
	return numbers
		.filter(([, found, wanted]) => found !== wanted)
		.map(([name, found, wanted]) => `${name}: ${found} instead of ${wanted}`);
}
