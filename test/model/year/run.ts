// Runs one site for some days of virtual time.
import { type Outcome, prepareGround, runHistory, type View } from '../history.ts';
import type { Scripts } from '../realm.ts';
import { type Census, growthOf, takeCensus } from './census.ts';
import { day, type Scale, siteOf, yearPlan } from './plan.ts';

export interface YearOptions extends Scale {
	/** Days between two counts of everything. */
	period: number;
	/** How long the activity log is kept. */
	activityDays: number;
}

export interface YearResult {
	options: YearOptions;
	violations: Outcome['violations'];
	census: Census[];
	/** Tests by firmware and result. */
	verdicts: Record<string, number>;
	/** In seconds: the mean wait of all, the highest mean of one account, and the longest wait. */
	waits: { mean: number; highest: number; longest: number };
	/** Virtual days, and those of them in which everything stood still. */
	days: number;
	leaptDays: number;
	events: number;
	/** Real seconds, and those of the processor. */
	seconds: number;
	processorSeconds: number;
}

export async function runYear(
	scripts: Scripts,
	options: YearOptions,
	{
		onCensus = () => false,
		onCrash,
	}: {
		/** Ends the run early if it returns `true`. */
		onCensus?: (census: Census) => boolean;
		onCrash?: (handler: (error: unknown) => void) => void;
	} = {},
): Promise<YearResult> {
	const began = performance.now();
	const before = process.cpuUsage();
	const ground = await prepareGround(scripts, siteOf(options), options.users + 2);
	const census: Census[] = [];
	let view: View | undefined;
	const onSecond = (current: View) => {
		view = current;
		// At five in the morning, when nobody works.
		const next = census.length * options.period * day + (5 / 24) * day;
		if (current.simulation.now < next) return;
		const taken = takeCensus(current);
		census.push(taken);
		if (onCensus(taken)) current.simulation.end();
	};
	const { violations, time, events } = await runHistory(scripts, ground, yearPlan(options), {
		...(onCrash && { onCrash }),
		long: {
			settings: { activityDays: options.activityDays },
			longest: (options.days + 1) * day,
			leaps: true,
			onSecond,
		},
	});
	const { user, system } = process.cpuUsage(before);
	const growing = growthOf(census).filter(({ grows }) => grows);
	return {
		options,
		violations: [
			...violations,
			...growing.map(({ name, before, after }) => ({
				rule: 'nothing grows without end',
				what: `${name}: from ${before} to ${after}`,
				at: time,
			})),
		],
		census,
		verdicts: Object.fromEntries(view?.rules.verdicts.counts ?? []),
		waits: waitsOf(view),
		days: time / day,
		leaptDays: (view?.leapt ?? 0) / day,
		events,
		seconds: (performance.now() - began) / 1_000,
		processorSeconds: (user + system) / 1e6,
	};
}

function waitsOf(view: View | undefined) {
	const all = [...(view?.rules.waits.values() ?? [])];
	const sum = all.reduce((total, each) => total + each.sum, 0) / 1_000;
	const count = all.reduce((total, each) => total + each.count, 0);
	const means = all.map((each) => each.sum / each.count / 1_000);
	const longest = Math.max(0, ...all.map((each) => each.longest / 1_000));
	return { mean: sum / Math.max(1, count), highest: Math.max(0, ...means), longest };
}
