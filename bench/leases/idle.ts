// What costs something although nobody does anything.
import { setTimeout as wait } from 'node:timers/promises';
import { send } from '../../service/test/siege/attacks/send.ts';
import type { Pace } from '../pace.ts';
import { type Finding, figure } from './figures.ts';
import { type Kind, type Lease, prepareLeases, type Site } from './lab.ts';
import { times, type Usage, usageOf } from './meter.ts';

export async function idle(
	site: Site,
	{ settleSeconds, idleSeconds }: Pace['leases'],
): Promise<Finding> {
	const { boards, agents } = site.size;
	await using lab = await site.open('PostgreSQL', { agents });
	// Each agent has connected for the first time, which writes its boards.
	await wait(settleSeconds * 1_000);
	const used = await lab.background(idleSeconds);
	const { service, database, statements, harness } = used;
	const name = `100 agents with ${boards / agents} boards each`;
	return {
		title: `A second with ${boards.toLocaleString('en')} boards, ${agents} agents and no lease (PostgreSQL)`,
		text: `The mean of ${idleSeconds} s, in which every agent shows at least twice that it is alive, ${settleSeconds} s after the last one has connected.`,
		loads: [[name, times(used, 100 / agents)]],
		figures: [
			figure('CPU of the service', service, 'ms', { most: 60, before: '257 ms' }),
			figure('CPU of PostgreSQL', database, 'ms', { most: 60, before: '287 ms' }),
			figure('statements', statements, '', { most: 40, before: '393' }),
			figure('CPU of all agents', harness, 'ms'),
		],
	};
}

const maxWait = 60;

export async function waits(site: Site, pace: Pace['leases']): Promise<Finding> {
	const figures = [];
	const loads: [string, Usage][] = [];
	for (const kind of ['SQLite', 'PostgreSQL'] as const) {
		const used = await costOfWaits(kind, site, pace);
		const { service, database } = used;
		figures.push(
			figure(`${kind}: service and database`, (service + database) / 10, '% of a core', {
				most: 1,
				before: kind === 'SQLite' ? '2.4' : '4.2',
			}),
		);
		if (kind === 'SQLite') continue;
		loads.push(['1,000 requests that wait for a lease', times(used, 1_000 / pace.waits)]);
		figures.push(figure(`${kind}: service alone`, service / 10, '% of a core'));
	}
	return {
		title: `${pace.waits} requests that wait for a change of a lease`,
		text: `Each of another live lease; they end and begin again evenly in ${maxWait} s. Less what the leases cost without them, ${pace.idleSeconds} s each.`,
		loads,
		figures,
	};
}

async function costOfWaits(kind: Kind, site: Site, { waits, idleSeconds }: Pace['leases']) {
	await using lab = await site.open(kind);
	const held = await prepareLeases(lab, waits);
	await wait(2_000);
	const before = await lab.background(idleSeconds);
	const cut = new AbortController();
	const open = held.map((lease, index) => waitFor(lease, index / waits, cut.signal));
	// Opening them costs more than holding them.
	await wait(2_000);
	const during = await lab.background(idleSeconds);
	cut.abort();
	await Promise.all(open);
	return usageOf((name) => during[name] - before[name]);
}

/** The first wait is a part of the others, so that they do not all end at once. */
async function waitFor(lease: Lease, part: number, signal: AbortSignal) {
	let seconds = Math.max(1, Math.ceil(maxWait * part));
	while (!signal.aborted) {
		const path = `/v1/leases/${lease.id}?wait=${seconds}&status=active`;
		await send({ ...lease, path, signal }).catch((error) => {
			if (!signal.aborted) throw error;
		});
		seconds = maxWait;
	}
}
