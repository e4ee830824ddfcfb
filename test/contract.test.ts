import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { apiKey, baseImage, board, createdApiKey } from '../src/contract/index.ts';

describe('the records of the contract', () => {
	it('have texts without rules of their own, so that the client need not ask for them', () => {
		for (const { shape } of [apiKey, createdApiKey, baseImage, board]) {
			for (const field of Object.values(shape)) {
				if (field.def.type !== 'string') continue;
				expect(z.safeParse(field, '\u0000 \n anything').success).toBe(true);
				expect(z.safeParse(field, '').success).toBe(true);
			}
		}
	});
});
