// The import boundaries are lint rules. A rule that never rejected anything may not work.
import { spawnSync } from 'node:child_process';
import {
	appendFileSync,
	cpSync,
	globSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const inProject = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));

const rejected = [
	['src/client.ts', "import './cli/program.ts';"],
	['src/client.ts', "import './action/main.ts';"],
	['src/client.ts', "import './ci/matrix.ts';"],
	['src/client.ts', "import '../service/src/app.ts';"],
	['src/client.ts', "import '../agent/src/main.ts';"],
	['src/client.ts', "import * as z from 'zod/mini';"],
	['src/errors/base.ts', "import '../cli/program.ts';"],
	['src/keys/keys.ts', "import '../cli/program.ts';"],
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
	['src/forward/serve.ts', "import { BoardAccess } from '../client.ts';"],
	['src/forward/serve.ts', "import { BoardAccess } from 'board-access';"],
	['src/forward/rfc2217.ts', "import { lineSettings } from 'board-access-contract';"],
	['src/contract/board.ts', "import { send } from '../http/send.ts';"],
	['src/cli/program.ts', "import { send } from '../http/send.ts';"],
	['src/cli/program.ts', "import { BoardAccess } from '../client.ts';"],
	['src/cli/keys/commands.ts', "import { BoardAccess } from '../../client.ts';"],
	['src/cli/keys/commands.ts', "import { createKeys } from '../../keys/keys.ts';"],
	['src/action/main.ts', "import { BoardAccess } from '../client.ts';"],
	['src/action/main.ts', "import { send } from '../http/send.ts';"],
	['src/action/main.ts', "import { run } from '../cli/program.ts';"],
	['src/ci/matrix.ts', "import { run } from '../cli/program.ts';"],
	['src/action/main.ts', "import 'board-access-service';"],
	['src/fixtures/vitest.ts', "import { BoardAccess } from '../client.ts';"],
	['service/src/app.ts', "import { BoardAccess } from 'board-access';"],
	['service/src/app.ts', "import { issueKey } from '../../core/src/keys/store.ts';"],
	['service/src/server/watch.ts', "import { findKey } from '../../../core/src/keys/store.ts';"],
	['core/src/keys/store.ts', "import { board } from '../../../src/contract/board.ts';"],
	['core/src/keys/store.ts', "import { respond } from '../../../service/src/http/respond.ts';"],
	['core/src/boards/store.ts', "import type { Context } from 'hono';"],
	['core/src/boards/store.ts', "import { parse } from 'hono/utils/cookie';"],
	['core/src/boards/store.ts', "import { issueKey } from '../index.ts';"],
	['core/src/boards/store.ts', "import { respond } from 'board-access-http/respond';"],
	['core/src/boards/store.ts', "import { webPages } from 'board-access-web';"],
	[
		'core/test/keys/any.test.ts',
		"import { openLab } from '../../../service/test/support/leasing.ts';",
	],
	['service/src/app.ts', "import { respond } from './http/respond.ts';"],
	['service/src/app.ts', "import { errorPage } from '../../web/src/error-page.tsx';"],
	['service/src/http/read.ts', "import type { Services } from '../services.ts';"],
	['service/src/http/read.ts', "import { errorPage } from 'board-access-web';"],
	['service/src/http/limits/rate-limits.ts', "import type { Services } from '../../services.ts';"],
	['service/src/http/server/host.ts', "import { BoardAccess } from 'board-access';"],
	['web/src/pages.tsx', "import type { Services } from '../../service/src/services.ts';"],
	['web/src/pages.tsx', "import { createService } from 'board-access-service';"],
	['web/src/boards/uses.ts', "import { respond } from '../../../service/src/http/respond.ts';"],
	['web/src/boards/uses.ts', "import { issueKey } from '../../../core/src/keys/store.ts';"],
	['agent/src/agent.ts', "import { BoardAccess } from 'board-access';"],
	['agent/src/agent.ts', "import 'board-access-service';"],
	['agent/src/boards/board.ts', "import { board } from '../../../src/contract/board.ts';"],
	['agent/src/agent.ts', "import { create } from '../../service/src/app.ts';"],
] as const;

const allowed = [
	['src/http/ky.ts', "import ky from 'ky';"],
	['src/keys/keys.ts', "import * as z from 'zod/mini';"],
	['src/contract/board.ts', "import * as z from 'zod/mini';"],
	['src/cli/program.ts', "import { BoardAccess } from 'board-access';"],
	['src/cli/program.ts', "import { board } from '../contract/index.ts';"],
	['src/cli/keys/commands.ts', "import { readInput } from '../terminal/input.ts';"],
	['src/cli/program.ts', "import { addKeys } from './keys/commands.ts';"],
	['src/cli/keys/commands.ts', "import { apiKeyPattern } from '../../contract/index.ts';"],
	['src/action/main.ts', "import { matrix } from '../ci/matrix.ts';"],
	['src/fixtures/vitest.ts', "import { BoardAccess } from 'board-access';"],
	['service/src/app.ts', "import { board } from 'board-access-contract';"],
	['service/src/app.ts', "import { issueKey } from 'board-access-core';"],
	['core/src/keys/store.ts', "import { record } from '../activity/record.ts';"],
	['service/src/routes/leases/console.ts', "import { respond } from 'board-access-http/respond';"],
	['service/src/app.ts', "import { webPages } from 'board-access-web';"],
	['service/src/http/read.ts', "import { invalid } from 'board-access-core';"],
	['service/src/http/limits/rate-limits.ts', "import { networksAround } from '../address.ts';"],
	['web/src/boards/uses.ts', "import { accessTo } from 'board-access-core';"],
	['web/src/boards/uses.ts', "import { respond } from 'board-access-http/respond';"],
	['agent/src/agent.ts', "import { board } from 'board-access-contract';"],
] as const;

const sleeps = [
	"import { setTimeout as wait } from 'node:timers/promises';",
	'await new Promise((resolve) => setTimeout(resolve, 20));',
	'await new Promise<void>((done) => setTimeout(done, time));',
];

const inTest = 'service/test/keys/any.test.ts';
const inSupport = 'service/test/support/any.ts';
const circle = [
	['src/boards/one.ts', "import type { Two } from './two.ts';"],
	['src/boards/two.ts', "import type { One } from './one.ts';"],
] as const;
const line = [
	['src/keys/one.ts', "import type { Two } from './two.ts';"],
	['src/keys/two.ts', 'export type Two = 2;'],
] as const;

let problems: string[];
let folder: string;

// One linter for all lines, because each run starts a process.
beforeAll(() => {
	folder = mkdtempSync(join(tmpdir(), 'boundaries-'));
	for (const file of ['biome.json', 'scripts/lint']) {
		cpSync(inProject(file), join(folder, file), { recursive: true });
	}
	const inTests = sleeps.flatMap((text) => [[inTest, text] as const, [inSupport, text] as const]);
	for (const [file, text] of [...rejected, ...allowed, ...inTests, ...circle, ...line]) {
		mkdirSync(dirname(join(folder, file)), { recursive: true });
		appendFileSync(join(folder, file), `${text}\n`);
	}
	const biome = inProject('node_modules/@biomejs/biome/bin/biome');
	const rules = ['style/noRestrictedImports', 'suspicious/noImportCycles', 'lint/plugin'];
	const only = rules.map((rule) => `--only=${rule}`);
	const options = ['--vcs-enabled=false', '--max-diagnostics=none', '--reporter=github'];
	const { stdout } = spawnSync(process.execPath, [biome, 'lint', ...options, ...only, '.'], {
		cwd: folder,
		encoding: 'utf8',
	});
	problems = stdout.split('\n').filter((text) => text.startsWith('::'));
});

afterAll(() => rmSync(folder, { recursive: true }));

/** What the linter says of a line. */
const problemsOf = (file: string, text: string) => {
	const number = readFileSync(join(folder, file), 'utf8').split('\n').indexOf(text) + 1;
	return problems.filter((problem) => problem.includes(`/${file},line=${number},`)).join('\n');
};

test.each(rejected)('the import is rejected in %s: %s', (file, text) => {
	expect(problemsOf(file, text)).toContain('lint/style/noRestrictedImports');
});

test.each(allowed)('the import is allowed in %s: %s', (file, text) => {
	expect(problemsOf(file, text)).not.toContain('lint/style/noRestrictedImports');
});

test('an import circle is rejected in the client, even if it consists of types only', () => {
	for (const [file, text] of circle) {
		expect(problemsOf(file, text)).toContain('lint/suspicious/noImportCycles');
	}
	for (const [file, text] of line) expect(problemsOf(file, text)).toBe('');
});

test.each(sleeps)('a sleep is rejected in a test: %s', (text) => {
	expect(problemsOf(inTest, text)).toContain('instead of sleeping');
	expect(problemsOf(inSupport, text)).toBe('');
});

describe('a folder of the sources', () => {
	const maxFiles = 15;
	const isTooFull = (files: readonly string[]) => {
		const counts = Map.groupBy(files, (file) => dirname(file));
		return [...counts].filter(([, { length }]) => length > maxFiles).map(([path]) => path);
	};

	test('has at most 15 files', () => {
		const files = globSync('{,core/,service/,web/,agent/}src/**/*.{ts,tsx}', {
			cwd: inProject(''),
		});
		expect(files.length).toBeGreaterThan(300);
		expect(isTooFull(files)).toEqual([]);
		const one = Array.from({ length: maxFiles + 1 }, (_, index) => `src/full/${index}.ts`);
		expect(isTooFull([...files, ...one])).toEqual(['src/full']);
	});
});
