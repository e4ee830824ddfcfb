// Samples to try the service with: boards, base images, and two accounts with a key each.
import { randomBytes } from 'node:crypto';
import { baseImageInput, importedBoard } from 'board-access-contract';
import {
	type Core,
	createBaseImage,
	importBoards,
	listBaseImages,
	openDemoAccounts,
} from 'board-access-core';
import * as z from 'zod/mini';
import baseImages from './base-images.json' with { type: 'json' };
import boards from './boards.json' with { type: 'json' };

export interface Demo {
	/** Key of an administrator on the paid tier. */
	apiKey: string;
	/** Key of an account on the free tier, which cannot create keys. */
	freeApiKey: string;
	/** Email address of the administrator. */
	email: string;
	/** Verified address of the account on the free tier. */
	freeEmail: string;
	/** Of both accounts. */
	password: string;
}

const email = 'admin@example.com';
const freeEmail = 'free@example.com';

export async function seedDemo(core: Core): Promise<Demo> {
	const accounts = { email, freeEmail, password: randomBytes(9).toString('base64url') };
	const keys = await openDemoAccounts(core.database.query, accounts);
	await importBoards(core, z.array(importedBoard).parse(boards));
	if ((await listBaseImages(core.database.query)).length === 0) {
		const images = z.array(baseImageInput).parse(baseImages);
		for (const image of images) await createBaseImage(core, image);
	}
	return { ...keys, ...accounts };
}
