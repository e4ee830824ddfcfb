// What leases cost: each row of the report, measured on a copy of the same seeded databases.
import type { Pace } from '../pace.ts';
import { markdown, type Section } from '../report.ts';
import { echo, flooding, uno } from './emulated.ts';
import { type Finding, tableOf } from './figures.ts';
import { idle, waits } from './idle.ts';
import { openSite, type Site } from './lab.ts';
import { pairs, printing, renewal, report } from './live.ts';
import { load } from './load.ts';
import { queue } from './queue.ts';
import { leaseAndJob } from './yardstick.ts';

type Measure = (site: Site, pace: Pace['leases']) => Promise<Finding>;

export const rows: Readonly<Record<string, Measure>> = {
	job: leaseAndJob,
	pairs,
	renewal,
	report,
	printing,
	queue,
	echo,
	uno,
	idle,
	waits,
	load,
	flooding,
};

/** Prints each row as soon as it is measured. */
export async function leases(pace: Pace['leases'], wanted: readonly string[]): Promise<Section[]> {
	await using site = await openSite(pace.size);
	const sections: Section[] = [];
	for (const [name, measure] of Object.entries(rows)) {
		if (wanted.length > 0 && !wanted.includes(name)) continue;
		const startedAt = performance.now();
		const finding = await measure(site, pace);
		const section = { title: finding.title, text: [finding.text], tables: [tableOf(finding)] };
		console.log(markdown(section));
		console.error(`${name}: ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
		sections.push(section);
	}
	return sections;
}
