// What a run has found, for docs/model.md.
import { growthOf } from './census.ts';
import type { YearResult } from './run.ts';

export function describeYear(results: readonly YearResult[], commit: string) {
	const date = new Date().toISOString().slice(0, 10);
	return [`Run on ${date} at commit ${commit}.`, ...results.map(describe)].join('\n\n');
}

function describe(result: YearResult) {
	const { options, census, violations, verdicts, waits, seconds, processorSeconds } = result;
	const { boards, users, replicas, seed } = options;
	const leases = census.at(-1)?.leases ?? 0;
	const stood =
		result.leaptDays > 0
			? `, in ${result.leaptDays.toFixed(1)} of which everything stood still because nobody had anything to do`
			: '';
	const broken = violations.map(({ rule, what, at }) => `- ${rule}, after ${at} ms: ${what}`);
	const days = census.map(({ day }) => day);
	return [
		`### ${boards} boards, ${users} users, ${replicas} replica${replicas > 1 ? 's' : ''}: ${result.days.toFixed(1)} days`,
		`Seed ${seed}: ${number(leases)} leases and ${number(result.events)} events in ${result.days.toFixed(1)} virtual days${stood}. It took ${number(seconds)} s, ${number(processorSeconds)} s of them on the processor. Activity is kept for ${options.activityDays} days.`,
		broken.length === 0 ? 'No rule was broken.' : broken.join('\n'),
		`Waits for a board: ${waits.mean.toFixed(1)} s on average, ${waits.highest.toFixed(1)} s for the account that waited most, ${number(waits.longest)} s at most.`,
		[
			'| firmware that | result | tests |',
			'| --- | --- | --: |',
			...Object.entries(verdicts)
				.sort()
				.map(([name, count]) => `| ${name.replace(' ', ' | ')} | ${number(count)} |`),
		].join('\n'),
		[
			`| mean of | days ${days[1]} to ${days[Math.ceil((days.length - 1) / 2)]} | until day ${days.at(-1)} | ratio |`,
			'| --- | --: | --: | --: |',
			...growthOf(census)
				.filter(({ before, after }) => before + after > 0)
				.map(
					({ name, before, after, ratio }) =>
						`| ${name} | ${number(before)} | ${number(after)} | ${ratio.toFixed(2)} |`,
				),
		].join('\n'),
	].join('\n\n');
}

function number(value: number) {
	return Math.round(value).toLocaleString('en');
}
