// What depends on where the tools run: at the user, with files, or at the service, without.
import * as z from 'zod/mini';
import type { ScenarioFile } from '../ci/scenario-file.ts';
import { checkRoles, type RoleBoard, readChosenBoard } from '../ci/wanted-boards.ts';

export interface Place {
	/** How a tool is given firmware. */
	firmware: string;
	readFirmware(given: string): Promise<Uint8Array>;
	/** Reads what is waited for. */
	readPattern(text: string): string | RegExp;
	/** Where there are files; without them, neither scenarios nor logs. */
	files?: {
		readScenario(name: string): Promise<ScenarioFile>;
		writeLog(name: string, text: string): Promise<void>;
	};
	/** How long a call may take. */
	maxSeconds: number;
	/** How much of what firmware prints a test keeps. */
	maxConsole?: number;
}

/* What the inputs of the tools share. */

export const text = z.string();
export const leaseId = { lease_id: text };

export function says(words: string) {
	return z.string().check(z.describe(words));
}

export const wantedBoards = z
	.array(text)
	.check(z.describe('type or brd_ID, then :tag=value; several as role=type'));

/** Reads which boards are wanted: one, or several by their roles. */
export function readBoards(given: readonly string[]) {
	if (given.length === 0) throw new Error('boards needs a type or the ID of a board');
	const boards = given.map(readChosenBoard);
	const inRoles = boards.filter((board): board is RoleBoard => board.role !== null);
	if (boards.length > 1 && inRoles.length < boards.length) {
		throw new Error('Write each of several boards as role=type');
	}
	checkRoles(inRoles);
	return boards;
}

export function secondsIn({ maxSeconds }: Place) {
	return z.optional(z.number().check(z.nonnegative(), z.maximum(maxSeconds)));
}

/** A file that gets the whole console, where there are files. No program or firmware has such a name. */
export function logField(place: Place) {
	const log = z
		.string()
		.check(z.regex(/\.log$/, 'must end in .log'), z.describe('file for the console'));
	return withFiles(place, { log: z.optional(log) });
}

/** Optional fields that need files. Without files, the schema rejects them, so they are never given. */
export function withFiles<Fields>({ files }: Place, fields: Fields) {
	return files ? fields : ({} as Fields);
}
