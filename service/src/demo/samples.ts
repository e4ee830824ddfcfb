// The boards and base images of demo mode: a small lab, in the formats of `boards import` and the API.
import { baseImageInput } from 'board-access-contract';
import * as z from 'zod/mini';
import { withoutAssigned } from '../base-images/create.ts';
import { importedBoard } from '../boards/import.ts';
import baseImages from './base-images.json' with { type: 'json' };
import boards from './boards.json' with { type: 'json' };

export function sampleBoards() {
	return z.array(importedBoard).parse(boards);
}

export function sampleBaseImages() {
	return z.array(baseImageInput).parse(baseImages).map(withoutAssigned);
}
