// Runs the attacks one after the other, and compares what the others feel with a quiet run before it.
import { setTimeout as wait } from 'node:timers/promises';
import { type Summary, summaryOf } from '../../support/figures.ts';
import { type Sent, startLoad } from '../../support/load.ts';
import type { Place } from '../../support/service.ts';
import { type Attack, attacks, type Found } from './attacks.ts';
import { feel, timed } from './others.ts';
import { type Lab, prepareTemplate, type Template, withLab } from './tenants.ts';

interface Measured {
	name: string;
	attack: string;
	/** What the others felt before and during it. */
	quiet: string;
	attacked: string;
	/** What the second must stay within, and whether it did. */
	limit: string;
	held: boolean;
}

interface Siege extends Place {
	/** How long each attack lasts. */
	seconds: number;
	/** Of the attacks, these only. */
	only?: readonly string[] | undefined;
	/** Instead of limits in milliseconds: at the median, others may wait so many times as long. */
	times?: number;
}

/** How long others wait at most, or so many times as long as in a quiet run that took long itself. */
const maxMilliseconds = 250;
const maxTimes = 3;

const attackNames = Object.keys(attacks);

export async function besiege({ only = attackNames, ...siege }: Siege) {
	await using template = await prepareTemplate(siege);
	const measured: Measured[] = [];
	for (const name of only) {
		const attack = attacks[name];
		if (!attack) throw new Error(`Unknown attack ${name}: ${attackNames.join(', ')}`);
		const result = await carryOut({ ...siege, template }, attack);
		measured.push({ name, ...result });
		console.error(`${result.held ? 'held' : 'NOT HELD'}: ${name}: ${JSON.stringify(result)}`);
	}
	return measured;
}

function carryOut(siege: Siege & { template: Template }, attack: Attack) {
	const { seconds, times } = siege;
	return withLab(siege, attack, async (lab) => {
		const quiet = await measure(lab, attack, seconds / 2);
		const megabytes = await lab.service.megabytes();
		const load = startLoad((await attack.loads?.(lab)) ?? []);
		const [attacked, found] = await Promise.all([
			measure(lab, attack, seconds),
			attack.steps?.(lab, AbortSignal.timeout(seconds * 1000)),
		]);
		const grown = (await lab.service.megabytes()) - megabytes;
		const sent = await load.stop();
		if (attack.loads && sent.requests === 0) throw new Error(`${attack.what}: nothing was sent`);
		const all = [
			...attacked.map((felt, index) => compare(felt, quiet[index], times)),
			...(found ? [found] : []),
			...(attack.megabytes ? [compareMemory(grown, attack.megabytes)] : []),
		];
		return {
			attack: `${attack.what}${describeSent(sent)}`,
			quiet: quiet.map(describe).join('; '),
			attacked: all.map(({ text }) => text).join('; '),
			limit: all.map(({ limit }) => limit).join('; '),
			held: all.every(({ held }) => held),
		};
	});
}

interface Compared extends Summary {
	what: string;
	/** The most milliseconds, if it is not the one for all. */
	limit?: number;
}

async function measure(lab: Lab, { also }: Attack, seconds: number): Promise<Compared[]> {
	const everyday = feel(lab, seconds).then((felt) => ({ what: '', ...felt }));
	if (!also) return [await everyday];
	const repeated = repeat(lab, also.run, seconds).then((felt) => ({ ...also, ...felt }));
	return Promise.all([everyday, repeated]);
}

async function repeat(lab: Lab, work: (lab: Lab) => Promise<unknown>, seconds: number) {
	const times: number[] = [];
	const end = performance.now() + seconds * 1000;
	while (performance.now() < end) {
		times.push(await timed(lab, () => work(lab)));
		await wait(1_000);
	}
	return summaryOf(times);
}

function compare(felt: Compared, quiet: Summary | undefined, times: number | undefined): Found {
	const [statistic, limit] = times
		? (['p50', times * (quiet?.p50 ?? 0)] as const)
		: (['p99', Math.max(felt.limit ?? maxMilliseconds, maxTimes * (quiet?.p99 ?? 0))] as const);
	return {
		text: describe(felt),
		limit: `${felt.what} none failed, ${statistic} ${limit.toFixed(0)} ms`.trim(),
		held: felt.failed === 0 && felt[statistic] <= limit,
	};
}

function compareMemory(grown: number, most: number): Found {
	const limit = `memory +${most} MB`;
	return { text: `memory +${grown.toFixed(0)} MB`, limit, held: grown <= most };
}

function describe({ what, requests, failed, ...times }: Compared) {
	const milliseconds = [times.p50, times.p99, times.max].map((each) => each.toFixed(0));
	return `${what} ${milliseconds.join(' / ')}${failed > 0 ? `, ${failed} of ${requests} failed` : ''}`.trim();
}

function describeSent({ requests, statuses }: Sent) {
	if (requests === 0) return '';
	const codes = Object.entries(statuses).map(([status, count]) => `${status}: ${count}`);
	return `: ${requests.toLocaleString('en')} requests (${codes.join(', ') || 'no response'})`;
}
