// `base-images import`: makes the entries of a file those of their board types. Shows a plan first.
import type { ServiceOptions } from '../options.ts';
import { connect } from '../service/connect.ts';
import type { Invocation } from '../terminal/io.ts';
import { note, printJson, printList } from '../terminal/output.ts';
import { plannedColumns } from './columns.ts';
import { readFlashFile } from './flash-file.ts';
import type { FlashPart } from './flash-part.ts';
import { type PlanOptions, partsToImport, planImport } from './import-plan.ts';
import { lintParts, problemsFound } from './lint-file.ts';
import { planColumns, planRows } from './plan-table.ts';
import { type ImagePlan, replaceImages } from './replace.ts';

export interface ImportOptions extends ServiceOptions, PlanOptions {
	apply?: true;
	dryRun?: true;
	force?: true;
}

export async function importFile(file: string, options: ImportOptions, run: Invocation) {
	const parts = partsToImport(await readFlashFile(file), options);
	await refuseProblems(parts, file, { force: options.force, run });
	const images = planImport(parts, options);
	if (options.dryRun) {
		return printList(images, { columns: plannedColumns, empty: '' }, { options, io: run });
	}
	const client = await connect(options, run);
	const plans: ImagePlan[] = [];
	for (const [boardType, own] of Map.groupBy(images, (image) => image.boardType ?? '')) {
		const { apply = false } = options;
		plans.push(await replaceImages(client, { boardType, images: own, apply, signal: run.signal }));
	}
	printPlans(plans, options, run);
}

function printPlans(plans: readonly ImagePlan[], options: ImportOptions, run: Invocation) {
	if (options.json) return printJson(plans, run);
	const rows = planRows(plans);
	const unchanged = plans.reduce((sum, plan) => sum + plan.unchanged, 0);
	const empty = `Nothing to change: ${entries(unchanged)} already up to date.`;
	printList(rows, { columns: planColumns, empty }, { options, io: run });
	if (rows.length === 0) return;
	const done = `Done: ${entries(rows.length)} changed, ${unchanged} unchanged.`;
	note(options.apply ? done : 'Nothing was changed. Pass --apply to carry out the plan.', run);
}

function entries(count: number) {
	return count === 1 ? '1 entry' : `${count} entries`;
}

// A wrong entry keeps every board of the type from starting.
async function refuseProblems(
	parts: readonly FlashPart[],
	file: string,
	{ force, run }: { force: true | undefined; run: Invocation },
) {
	const problems = await lintParts(parts, file);
	if (problems.length > 0 && !force) {
		throw problemsFound(file, problems, {
			hint: 'Nothing was changed. --force imports the entries anyway.',
			details: { issues: problems.map(({ rule, message }) => ({ path: rule, message })) },
		});
	}
	for (const { message } of problems) note(`warning: ${message}`, run);
}
