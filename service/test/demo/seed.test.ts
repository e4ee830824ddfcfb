// A demo whose database is kept.
import { afterEach, expect, test } from 'vitest';
import { databaseKinds, emptyDatabase } from '../../../core/test/support/databases.ts';
import { createTestService, type TestService } from '../../src/testing.ts';
import { sendForm, signUp } from '../web/support/lab.ts';

let service: TestService | undefined;
afterEach(() => service?.close());

test.each(databaseKinds)(
	'a demo on %s starts again with a new password after somebody signed up',
	async (kind) => {
		const database = await emptyDatabase(kind);
		service = await createTestService({ database });
		await signUp(service, 'ann@example.com');
		await service.close();
		service = await createTestService({ database });
		const { email, freeEmail, password } = service.demo;
		for (const address of [email, freeEmail]) {
			const login = { email: address, password };
			expect((await sendForm(service, '/login', login)).status).toBe(303);
		}
		const ann = { email: 'ann@example.com', password: 'a long sentence' };
		expect((await sendForm(service, '/login', ann)).status).toBe(303);
	},
);
