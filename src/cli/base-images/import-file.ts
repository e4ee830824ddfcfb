// `base-images import`: creates base images in order, stops at the first failure, and prints the command
// that continues.
import type { BaseImage, BaseImageInput, BoardAccess } from 'board-access';
import { CliError } from '../failures/cli-error.ts';
import { exitCodes } from '../failures/exit-codes.ts';
import { failureOf } from '../failures/failure.ts';
import type { ServiceOptions } from '../options.ts';
import { connect } from '../service/connect.ts';
import type { Invocation } from '../terminal/io.ts';
import { note, printList } from '../terminal/output.ts';
import { quoted } from '../terminal/style.ts';
import { imageColumns, plannedColumns } from './columns.ts';
import { readFlashFile } from './flash-file.ts';
import type { FlashPart } from './flash-part.ts';
import { type PlanOptions, partsToImport, planImport } from './import-plan.ts';
import { lintParts, problemsFound } from './lint-file.ts';

export interface ImportOptions extends ServiceOptions, PlanOptions {
	startAt: number;
	dryRun?: true;
	force?: true;
}

export async function importFile(file: string, options: ImportOptions, run: Invocation) {
	const parts = partsToImport(await readFlashFile(file), options);
	await refuseProblems(parts, file, { force: options.force, run });
	const images = planImport(parts, options);
	if (options.startAt > images.length) throw startsTooLate(options.startAt, images.length);
	const empty = 'Nothing to create.';
	if (options.dryRun) {
		return printList(images, { columns: plannedColumns, empty }, { options, io: run });
	}
	const client = await connect(options, run);
	const created = await createAll(client, images, { options, run });
	printList(created, { columns: imageColumns, empty }, { options, io: run });
}

function withoutStart(argv: readonly string[]) {
	return argv.filter(
		(word, index) => !/^--start-at(=|$)/.test(word) && argv[index - 1] !== '--start-at',
	);
}

function continuation(argv: readonly string[], place: number) {
	return ['board-access', ...withoutStart(argv), '--start-at', String(place)].map(quoted).join(' ');
}

async function stopped(error: unknown, place: number, ids: string[], run: Invocation) {
	const failure = await failureOf(error, run.signal);
	const doubt =
		failure.outcome === 'unknown' ? `Check first whether entry ${place} was created. ` : '';
	return new CliError(`Stopped at entry ${place}: ${failure.message}`, {
		...failure,
		hint: `${failure.hint ? `${failure.hint} ` : ''}${doubt}To continue: ${continuation(run.argv, place)}`,
		details: {
			requestId: failure.requestId,
			issues: failure.issues,
			created: ids,
			failedAt: place,
		},
		cause: error,
	});
}

async function createAll(
	client: BoardAccess,
	images: readonly BaseImageInput[],
	{ options, run }: { options: ImportOptions; run: Invocation },
) {
	const created: BaseImage[] = [];
	for (const [index, image] of images.entries()) {
		const place = index + 1;
		if (place < options.startAt) continue;
		try {
			const entry = await client.admin.baseImages.create(image, { signal: run.signal });
			created.push(entry);
			if (!options.json)
				note(`${place} of ${images.length}: created ${entry.id} ${image.name}`, run);
		} catch (error) {
			const ids = created.map(({ id }) => id);
			throw await stopped(error, place, ids, run);
		}
	}
	return created;
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
			hint: 'Nothing was created. --force creates the entries anyway.',
			details: { issues: problems.map(({ rule, message }) => ({ path: rule, message })) },
		});
	}
	for (const { message } of problems) note(`warning: ${message}`, run);
}

function startsTooLate(startAt: number, count: number) {
	return new CliError(`--start-at is ${startAt}, but the file has only ${count} entries`, {
		code: 'usage',
		exitCode: exitCodes.usage,
	});
}
