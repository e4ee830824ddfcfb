// @module-tag long
// Editors complete the strings that the service knows, and the compiler rejects others.
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const file = `${root}test/completed.ts`;

/** Where the cursor is. */
const cursor = '│';

const { config } = ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile);
const { options } = ts.parseJsonConfigFileContent(
	{ ...config, include: [], files: [] },
	ts.sys,
	root,
);

let text = '';
let version = 0;

const editor = ts.createLanguageService({
	getCompilationSettings: () => options,
	getScriptFileNames: () => [file],
	getScriptVersion: (name) => (name === file ? String(version) : '1'),
	getScriptSnapshot: (name) => {
		const content = name === file ? text : ts.sys.readFile(name);
		return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content);
	},
	getCurrentDirectory: () => root,
	getDefaultLibFileName: ts.getDefaultLibFilePath,
	fileExists: (name) => name === file || ts.sys.fileExists(name),
	readFile: ts.sys.readFile,
});

const open = (line: string) => {
	const program = `import { BoardAccess, isApiError } from 'board-access';
const client = new BoardAccess();
${line}`;
	text = program.replace(cursor, '');
	version += 1;
	return program.indexOf(cursor);
};

test.each([
	["client.boards.list({ status: '│' });", ['available', 'in_use', 'offline', 'maintenance']],
	["client.keys.create({ scope: '│' });", ['full', 'boards']],
	["client.leases.list({ status: '│' });", ['queued', 'preparing', 'active', 'ended']],
	["client.activity.list({ kind: '│' });", ['key.created', 'lease.ended']],
	["client.admin.boards.update('brd_1', { status: '│' });", ['available', 'maintenance']],
	["client.admin.baseImages.create({ action: '│' });", ['flash', 'erase']],
	["isApiError(undefined, '│');", ['paid_tier_required', 'rate_limited']],
])('%s is completed', { timeout: 60_000 }, (line, names) => {
	const { entries = [] } = editor.getCompletionsAtPosition(file, open(line), {}) ?? {};
	expect(entries.map(({ name }) => name)).toEqual(expect.arrayContaining(names));
});

test.each([
	"client.boards.list({ status: 'burning' });",
	"client.keys.create({ scope: 'read' });",
	"client.leases.list({ status: 'paused' });",
	"client.activity.list({ kind: 'board.sold' });",
	"isApiError(undefined, 'brew_coffee');",
])('%s does not compile', { timeout: 60_000 }, (line) => {
	open(line);
	expect(editor.getSemanticDiagnostics(file)).toHaveLength(1);
});
