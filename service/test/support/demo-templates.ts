// Databases with the samples of the demo, which the tests of the service copy.
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { createPostgres } from '../../../core/test/support/postgres.ts';
import { createService, type Service } from '../../src/service.ts';

/** A database that is copied, which takes a fraction of the time that its schema takes. */
interface Template {
	/** The path of a file, or the name of a database of the cluster. */
	location: string;
	demo: NonNullable<Service['demo']>;
}

declare module 'vitest' {
	interface ProvidedContext {
		samples: Record<'SQLite' | 'PostgreSQL', Template>;
	}
}

/** Runs once for each project, after the setup that starts PostgreSQL. */
export default async (project: TestProject) => {
	const folder = await mkdtemp(join(tmpdir(), 'samples-'));
	project.provide('samples', {
		SQLite: await createTemplate(join(folder, 'demo.db')),
		PostgreSQL: await createTemplate(await createPostgres(process.env.TEST_POSTGRES ?? '')),
	});
};

async function createTemplate(database: string): Promise<Template> {
	const { demo, close } = await createService({ database, demo: true });
	await close();
	if (!demo) throw new Error('The template has no samples');
	await (await createService({ database })).close(); // notes that the schema was compared
	return { location: database.replace(/^postgres:.*\//, ''), demo };
}
