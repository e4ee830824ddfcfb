// What the tests of the service share: a cluster of PostgreSQL, and databases that each test copies.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { createService, type Service } from '../../src/service.ts';
import { createPostgres, startPostgres } from './postgres.ts';

/** A database that is copied, which takes a fraction of the time that its schema takes. */
interface Template {
	/** The path of a file, or the name of a database of the cluster. */
	location: string;
	demo?: NonNullable<Service['demo']>;
}

type Templates = Record<'migrated' | 'demo', Template>;

declare module 'vitest' {
	interface ProvidedContext {
		postgres: string;
		templates: Record<'SQLite' | 'PostgreSQL', Templates>;
	}
}

// It would go through hundreds of databases that no test opens again.
const withoutVacuum = ['-c', 'autovacuum=off'];

/** Runs once for the whole suite. */
export default async (project: TestProject) => {
	// Whoever runs the suite many times brings a cluster, and the next project has that of the first.
	const brought = process.env.TEST_POSTGRES;
	const { url, remove } = brought
		? { url: brought, remove: undefined }
		: await startPostgres(withoutVacuum);
	process.env.TEST_POSTGRES = url;
	const folder = await mkdtemp(join(tmpdir(), 'templates-'));
	project.provide('postgres', url);
	project.provide('templates', {
		SQLite: await createTemplates(async (name) => join(folder, `${name}.db`)),
		PostgreSQL: await createTemplates(() => createPostgres(url)),
	});
	return async () => {
		await rm(folder, { recursive: true });
		await remove?.();
	};
};

async function createTemplates(create: (name: string) => Promise<string>): Promise<Templates> {
	return {
		migrated: await createTemplate(await create('migrated'), false),
		demo: await createTemplate(await create('demo'), true),
	};
}

async function createTemplate(database: string, isDemo: boolean): Promise<Template> {
	const { demo, close } = await createService({ database, demo: isDemo });
	await close();
	await (await createService({ database })).close(); // notes that the schema was compared
	return { location: database.replace(/^postgres:.*\//, ''), ...(demo && { demo }) };
}
