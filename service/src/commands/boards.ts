// board-access-service boards import | export
import { readFile } from 'node:fs/promises';
import { exportBoards, importBoards, readBoards } from 'board-access-core';
import { type Command, Option } from 'commander';
import { write } from './output.ts';
import { databaseOption, withDatabase } from './with-database.ts';

export function boardsCommand(program: Command) {
	const boards = program.command('boards').description('import and export boards');
	databaseOption(
		boards
			.command('import <file>')
			.description('add or change boards from a .json or .csv file; all of them or none'),
	).action(importFile);
	databaseOption(boards.command('export').description('write all boards to standard output'))
		.addOption(
			new Option('--format <format>', 'json or csv').choices(['json', 'csv']).default('json'),
		)
		.action(exportAll);
}

async function importFile(file: string, options: { database?: string }) {
	const format = file.toLowerCase().endsWith('.csv') ? 'csv' : 'json';
	const boards = readBoards(await readTextFile(file), format);
	await withDatabase({ ...options, create: true }, async (core) => {
		const { added, changed, unchanged } = await importBoards(core, boards);
		const all = boards.length === 1 ? '1 board' : `${boards.length} boards`;
		console.log(`${all} imported: ${added} added, ${changed} changed, ${unchanged} unchanged.`);
	});
}

const reasons: Readonly<Record<string, string>> = {
	ENOENT: 'it does not exist',
	EACCES: 'permission denied',
	EISDIR: 'it is a directory',
};

function readTextFile(file: string) {
	return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
		const reason = reasons[error.code ?? ''] ?? error.message;
		throw new Error(`The file ${file} cannot be read: ${reason}`, { cause: error });
	});
}

function exportAll(options: { database?: string; format: 'json' | 'csv' }) {
	return withDatabase(options, async ({ database: { query } }) => {
		await write(await exportBoards(query, options.format));
	});
}
