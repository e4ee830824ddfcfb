// The import boundaries are lint rules. A rule that never rejected anything may not work.
import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const inProject = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));

let folder: string;

beforeAll(() => {
	folder = mkdtempSync(join(tmpdir(), 'boundaries-'));
	for (const file of ['biome.json', 'scripts/lint']) {
		cpSync(inProject(file), join(folder, file), { recursive: true });
	}
});

afterAll(() => rmSync(folder, { recursive: true }));

const write = (file: string, line: string) => {
	mkdirSync(dirname(join(folder, file)), { recursive: true });
	writeFileSync(join(folder, file), `${line}\n`);
};

/** What the linter says of a line that stands in the file. */
const lint = (file: string, line: string) => {
	write(file, line);
	const biome = inProject('node_modules/@biomejs/biome/bin/biome');
	const rules = ['style/noRestrictedImports', 'suspicious/noImportCycles', 'lint/plugin'];
	const only = rules.map((rule) => `--only=${rule}`);
	const options = ['lint', '--vcs-enabled=false', ...only, file];
	return spawnSync(process.execPath, [biome, ...options], { cwd: folder, encoding: 'utf8' });
};

describe('an import across a boundary is rejected', () => {
	test.each([
		['src/client.ts', "import './cli/run.ts';"],
		['src/client.ts', "import './action/main.ts';"],
		['src/client.ts', "import './ci/matrix.ts';"],
		['src/client.ts', "import '../service/src/app.ts';"],
		['src/client.ts', "import '../agent/src/main.ts';"],
		['src/client.ts', "import * as z from 'zod/mini';"],
		['src/errors/base.ts', "import '../cli/run.ts';"],
		['src/keys/keys.ts', "import '../cli/run.ts';"],
		['src/keys/keys.ts', "import ky from 'ky';"],
		['src/leases/console/feed.ts', "import ky from 'ky';"],
		['src/boards/boards.ts', "import * as z from 'zod';"],
		['src/http/send.ts', "import 'board-access-service';"],
		['src/http/send.ts', "import ky from 'ky';"],
		['src/http/send.ts', "import * as z from 'zod/mini';"],
		['src/http/request.ts', "import ky from 'ky';"],
		['src/http/request.ts', "import type { Board } from '../boards/types.ts';"],
		['src/http/list.ts', "import { BoardAccess } from '../client.ts';"],
		['src/settings/settings.ts', "import type { Lease } from '../leases/types.ts';"],
		['src/records/records.ts', "import { isApiError } from '../errors/guards.ts';"],
		['src/records/records.ts', "import * as z from 'zod';"],
		['src/contract/board.ts', "import { send } from '../http/send.ts';"],
		['src/cli/run.ts', "import { send } from '../http/send.ts';"],
		['src/cli/run.ts', "import { BoardAccess } from '../client.ts';"],
		['src/cli/keys/commands.ts', "import { BoardAccess } from '../../client.ts';"],
		['src/cli/keys/commands.ts', "import { keyPath } from '../../keys/revoke.ts';"],
		['src/action/main.ts', "import { BoardAccess } from '../client.ts';"],
		['src/action/main.ts', "import { send } from '../http/send.ts';"],
		['src/action/main.ts', "import { run } from '../cli/run.ts';"],
		['src/ci/matrix.ts', "import { run } from '../cli/run.ts';"],
		['src/action/main.ts', "import 'board-access-service';"],
		['service/src/app.ts', "import { BoardAccess } from 'board-access';"],
		['service/src/keys/store.ts', "import { board } from '../../../src/contract/board.ts';"],
		['service/src/keys/store.ts', "import { respond } from '../http/respond.ts';"],
		['service/src/boards/store.ts', "import type { Context } from 'hono';"],
		['service/src/leases/store.ts', "import { respond } from '../http/respond.ts';"],
		['service/src/leases/console/store.ts', "import { respond } from '../../http/respond.ts';"],
		['service/src/http/watch.ts', "import { errorPage } from '../web/error-page.tsx';"],
		['agent/src/agent.ts', "import { BoardAccess } from 'board-access';"],
		['agent/src/agent.ts', "import 'board-access-service';"],
		['agent/src/boards/board.ts', "import { board } from '../../../src/contract/board.ts';"],
		['agent/src/agent.ts', "import { create } from '../../service/src/app.ts';"],
	])('%s: %s', (file, line) => {
		expect(lint(file, line)).toMatchObject({
			status: 1,
			stderr: expect.stringContaining('lint/style/noRestrictedImports'),
		});
	});
});

describe('an import that the design needs is allowed', () => {
	test.each([
		['src/http/ky.ts', "import ky from 'ky';"],
		['src/keys/keys.ts', "import * as z from 'zod/mini';"],
		['src/contract/board.ts', "import * as z from 'zod/mini';"],
		['src/cli/run.ts', "import { BoardAccess } from 'board-access';"],
		['src/cli/run.ts', "import { board } from '../contract/index.ts';"],
		['src/cli/keys/commands.ts', "import { readInput } from '../terminal/input.ts';"],
		['src/cli/run.ts', "import { addKeys } from './keys/commands.ts';"],
		['src/cli/keys/commands.ts', "import { apiKeyPattern } from '../../contract/index.ts';"],
		['src/action/main.ts', "import { matrix } from '../ci/matrix.ts';"],
		['service/src/app.ts', "import { board } from 'board-access-contract';"],
		['service/src/leases/routes.ts', "import { respond } from '../http/respond.ts';"],
		['service/src/leases/console/routes.ts', "import { respond } from '../../http/respond.ts';"],
		['agent/src/agent.ts', "import { board } from 'board-access-contract';"],
	])('%s: %s', (file, line) => {
		expect(lint(file, line)).toMatchObject({ status: 0 });
	});
});

describe('an import circle', () => {
	const one = 'src/boards/one.ts';

	test('is rejected in the client, even if it consists of types only', () => {
		write('src/boards/other.ts', "import type { One } from './one.ts';\nexport type Other = One;");
		const { status, stderr } = lint(one, "import type { Other } from './other.ts';");
		expect({ status, stderr }).toEqual({
			status: 1,
			stderr: expect.stringContaining('lint/suspicious/noImportCycles'),
		});
		write('src/boards/other.ts', 'export type Other = 1;');
		expect(lint(one, "import type { Other } from './other.ts';").status).toBe(0);
	});
});

describe('a folder of the client', () => {
	const mostFiles = 15;
	const isTooFull = (files: readonly string[]) => {
		const counts = Map.groupBy(files, (file) => dirname(file));
		return [...counts].filter(([, { length }]) => length > mostFiles).map(([path]) => path);
	};

	test('has at most 15 files', () => {
		const files = globSync('src/**/*.ts', { cwd: inProject('') });
		expect(files.length).toBeGreaterThan(100);
		expect(isTooFull(files)).toEqual([]);
		const one = Array.from({ length: mostFiles + 1 }, (_, index) => `src/full/${index}.ts`);
		expect(isTooFull([...files, ...one])).toEqual(['src/full']);
	});
});

describe('a sleep in a test is rejected', () => {
	test.each([
		"import { setTimeout as wait } from 'node:timers/promises';",
		'await new Promise((resolve) => setTimeout(resolve, 20));',
		'await new Promise<void>((done) => setTimeout(done, time));',
	])('%s', (line) => {
		const { status, stdout, stderr } = lint('service/test/keys/any.test.ts', line);
		expect(stdout + stderr).toContain('instead of sleeping');
		expect(status).toBe(1);
		expect(lint('service/test/support/any.ts', line).status).toBe(0);
	});
});
