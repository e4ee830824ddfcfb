// What agents report about the boards of leases.
import { consoleChange, leaseChange, pinsChange } from '../announcements.ts';
import type { Core } from '../core.ts';
import { appendOutput, type OutputReport } from '../leases/console/output.ts';
import { type SampleReport, storeSample } from '../leases/pins/store.ts';

/** Stores console output and returns the next expected offset. */
export async function reportOutput(core: Core, report: OutputReport) {
	const { leaseId, synced } = report;
	const { next, isNews, added } = await appendOutput(core.database.query, report);
	core.happenings.emit('console', 'output', added);
	const changed = isNews || synced ? [leaseChange(leaseId)] : [];
	await core.dispatch({ names: [consoleChange(leaseId), ...changed] });
	return next;
}

export async function reportSample(core: Core, report: SampleReport) {
	await storeSample(core.database.query, report);
	await core.dispatch({ names: [pinsChange(report.leaseId)] });
}
