// What leases cost: each row of the report, measured on a copy of the same seeded databases.
import type { Pace } from '../pace.ts';
import { markdown, type Section } from '../report.ts';
import { echo, flooding, uno } from './emulated.ts';
import { coreTable, type Finding, tableOf } from './figures.ts';
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
	const findings: Finding[] = [];
	for (const [name, measure] of Object.entries(rows)) {
		if (wanted.length > 0 && !wanted.includes(name)) continue;
		const startedAt = performance.now();
		const finding = await measure(site, pace);
		console.log(markdown(sectionOf(finding)));
		console.error(`${name}: ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
		findings.push(finding);
	}
	return [...findings.map(sectionOf), coresByLoad(findings)];
}

function sectionOf(finding: Finding): Section {
	return { title: finding.title, text: [finding.text], tables: [tableOf(finding)] };
}

function coresByLoad(findings: readonly Finding[]): Section {
	return {
		title: 'Cores by load (PostgreSQL)',
		text: ['Multiply each row by what you have, and add up the results.'],
		tables: [coreTable(findings)],
	};
}
