// The queue: what a release costs while others wait, what a place costs, and how fast boards are granted.
import { setTimeout as wait } from 'node:timers/promises';
import { send } from '../../service/test/siege/attacks/send.ts';
import { summaryOf } from '../../service/test/siege/report.ts';
import type { Pace } from '../pace.ts';
import { type Figure, type Finding, figure } from './figures.ts';
import {
	type Kind,
	type Lab,
	type Lease,
	preparedLeases,
	release,
	repeat,
	type Site,
	userOf,
} from './lab.ts';
import { each, nothing, usageOf } from './meter.ts';

/** Each account waits for several boards, one request after the other. */
const requestsPerAccount = 5;

interface Queue {
	lab: Lab;
	type: string;
	/** How many wait, and the next account without a request. */
	wanted: number;
	nextAccount: number;
	/** Those that have the boards, and those that wait. */
	held: Lease[];
	waiting: Lease[];
}

/** One account, which does not wait, has all boards of the type. Each of the others waits in one queue. */
async function fill(
	lab: Lab,
	{ type, wanted, firstAccount = 1 }: { type: string; wanted: number; firstAccount?: number },
): Promise<Queue> {
	using prepared = preparedLeases(lab);
	const [held, waiting]: [Lease[], Lease[]] = [[], []];
	const body = { board_type: type, minutes: 30, wait_seconds: 3_600 };
	await repeat({ loops: 8, times: lab.boardsInQueue }, async () => {
		const lease = await userOf(lab, 0).create(body);
		await prepared.until(lease.id);
		held.push(lease);
	});
	const accounts = Math.ceil(wanted / requestsPerAccount);
	const startedAt = performance.now();
	await repeat({ loops: 8, times: accounts }, async (account) => {
		for (let count = 0; count < requestsPerAccount; count += 1) {
			waiting.push(await userOf(lab, firstAccount + account).create(body));
		}
	});
	const seconds = (performance.now() - startedAt) / 1000;
	console.error(`${wanted} requests in the queue after ${seconds.toFixed(0)} s`);
	return { lab, type, wanted, nextAccount: firstAccount + accounts, held, waiting };
}

export async function queue(site: Site, pace: Pace['leases']): Promise<Finding> {
	const figures: Figure[] = [];
	{
		await using lab = await site.open('PostgreSQL');
		const few = await fill(lab, { type: 'rare', wanted: 10 });
		figures.push(...(await releases(few, pace)));
		// Of accounts that have no boards, so that the order is known.
		const firstAccount = few.nextAccount + pace.releases;
		const many = await fill(lab, { type: 'scarce', wanted: pace.waiting, firstAccount });
		figures.push(...(await places(many, pace)));
		figures.push(...(await releases(many, pace)));
		figures.push(...(await grants(many, 'PostgreSQL')));
	}
	await using lab = await site.open('SQLite');
	figures.push(
		...(await grants(await fill(lab, { type: 'scarce', wanted: pace.waiting / 10 }), 'SQLite')),
	);
	return { title: 'The queue', text, figures };
}

const text = `Requests for boards of one type among all others. Each account waits for ${requestsPerAccount} boards. A release is measured until its response, and the processor time until the agent has reported the board of the next lease as prepared.`;

/** One after the other. Somebody else waits for every board that is granted. */
async function releases({ lab, type, wanted, nextAccount, held }: Queue, pace: Pace['leases']) {
	const times: number[] = [];
	const grants: number[] = [];
	let used = nothing;
	for (let count = 0; count < pace.releases; count += 1) {
		const lease = held.shift();
		if (!lease) throw new Error('There is no board to release');
		const { promise: granted, resolve } = Promise.withResolvers<string>();
		using _ = lab.agents.on('prepared', resolve);
		const one = await lab.measure(async () => {
			const startedAt = performance.now();
			await release(lease);
			times.push(performance.now() - startedAt);
			await granted;
			grants.push(performance.now() - startedAt);
			// What is left to do at both ends.
			await wait(5);
		});
		used = usageOf((name) => used[name] + one.used[name]);
		await userOf(lab, nextAccount + count).create({
			board_type: type,
			minutes: 30,
			wait_seconds: 3_600,
		});
	}
	const cost = usageOf((name) => used[name] / pace.releases);
	const name = `release while ${wanted.toLocaleString('en')} wait`;
	const before = wanted > 10 ? '94 ms' : '57 ms';
	return [
		figure(`${name}: p50`, summaryOf(times).p50, 'ms', { most: 5, before }),
		figure(`${name}: until the next board is prepared, p50`, summaryOf(grants).p50, 'ms'),
		figure(`${name}: CPU of PostgreSQL`, cost.database, 'ms', { most: 3 }),
		figure(`${name}: CPU of the service`, cost.service, 'ms'),
		figure(`${name}: statements`, cost.statements, ''),
	];
}

async function places({ lab, waiting }: Queue, { seconds, restSeconds }: Pace['leases']) {
	const background = await lab.background(restSeconds);
	const read = (index: number) => {
		// From all of the queue.
		const lease = waiting[(index * 7919) % waiting.length] as Lease;
		return send({ ...lease, path: `/v1/leases/${lease.id}` });
	};
	const own = await lab.measure(() => repeat({ loops: 1, seconds }, read));
	const cost = each(own, own.result.length, background);
	const all = await repeat({ loops: 1, times: 5 }, async (index) => {
		const { token, origin } = userOf(lab, index + 10);
		await send({ token, origin, path: '/v1/leases?status=queued' });
	});
	const name = `own place among ${waiting.length.toLocaleString('en')}`;
	return [
		figure(`${name}: p50`, summaryOf(own.result).p50, 'ms', { most: 4, before: '45 ms' }),
		figure(`${name}: CPU of PostgreSQL`, cost.database, 'ms'),
		figure('all places of the type, in a list of leases', summaryOf(all).most, 'ms', { most: 10 }),
	];
}

/** Releases what is held as fast as possible, and checks who was granted a board, and in which order. */
async function grants(queue: Queue, kind: Kind) {
	const { lab, held } = queue;
	const order: string[] = [];
	const { promise, resolve } = Promise.withResolvers<void>();
	const count = Math.min(held.length, queue.waiting.length);
	using _ = lab.agents.on('prepared', (id) => {
		if (order.push(id) === count) resolve();
	});
	const all = await lab.measure(async () => {
		await repeat({ loops: 8, times: count }, (index) => release(held[index] as Lease));
		await promise;
	});
	const outOfOrder = await countOutOfOrder(queue);
	if (outOfOrder > 0) process.exitCode = 1;
	const isSqlite = kind === 'SQLite';
	return [
		figure(
			`${kind}: grants a second while ${queue.wanted.toLocaleString('en')} wait`,
			count / all.seconds,
			'',
			{ least: isSqlite ? 350 : 250, before: isSqlite ? '160' : '75' },
		),
		figure(`${kind}: granted in another order than the strict one`, outOfOrder, '', { most: 0 }),
	];
}

/** How many were granted although somebody before them was waiting. */
async function countOutOfOrder({ lab, type }: Queue) {
	const rows = await lab.database.run(`select granted_at from leases
		where board_type = '${type}' and account_id <> (
			select account_id from leases where board_type = '${type}' order by created_at limit 1)
		order by rank, id`);
	const sorted = rows.map(({ granted_at }) => ({ granted: granted_at as string | null }));
	let latest = '';
	let wrong = 0;
	let isWaiting = false;
	for (const { granted } of sorted) {
		if (granted === null) isWaiting = true;
		else if (isWaiting || granted < latest) wrong += 1;
		if (granted !== null && granted > latest) latest = granted;
	}
	return wrong;
}
