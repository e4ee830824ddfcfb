// The files that tools use: those below a folder, and no others, wherever symbolic links lead.
import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openRoot } from '../../src/mcp/files.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { start, useBoards } from './support/agents.ts';

const { here, open } = useBoards();

/** A folder with all kinds of files, beside one that nobody may see. All of them could be logs. */
async function createFolders() {
	const both = await temporaryDirectory();
	const [root, outside] = [join(both, 'root'), join(both, 'root-outside')];
	for (const folder of [root, outside, join(root, 'folder.log')]) await mkdir(folder);
	const files = [join(root, 'file.log'), join(outside, 'secret.log')];
	for (const file of files) await writeFile(file, 'text');
	for (const [link, target] of [
		['link.log', join(outside, 'secret.log')],
		['relative.log', '../root-outside/secret.log'],
		['links', outside],
		['dangling.log', join(outside, 'new.log')],
		['inside.log', 'file.log'],
		['loop.log', 'loop.log'],
	] as const) {
		await symlink(target, join(root, link));
	}
	execFileSync('sh', ['-c', 'mkfifo "$0"', join(root, 'pipe.log')]);
	/** Whether all files are what they were. */
	const check = async () => {
		for (const file of files) expect(await readFile(file, 'utf8')).toBe('text');
		expect(await readdir(outside)).toEqual(['secret.log']);
	};
	return { root, outside, check };
}

const outsides = [
	'../root-outside/secret.log',
	'folder.log/../../root-outside/secret.log',
	'links/secret.log',
	'folder.log/../links/secret.log',
];
const links = ['link.log', 'relative.log'];

test.each([
	...[...outsides, ...links, '..', '/etc/passwd', '/dev/zero'].map((name) => [
		name,
		'is outside of',
	]),
	['.', 'is not a file'],
	['', 'is not a file'],
	['folder.log', 'is not a file'],
	['pipe.log', 'is not a file'],
	['none', 'cannot be used: it does not exist'],
	['file.log/x', 'cannot be used: its path leads through a file'],
	['dangling.log', 'cannot be used: it does not exist'],
	['loop.log', 'cannot be used: it is a symbolic link'],
	['file.log\0', 'cannot be used: '],
])('%j is not read', async (name, reason) => {
	const { read, pathOf } = await openRoot((await createFolders()).root);
	await expect(read(name)).rejects.toThrow(`${name} ${reason}`);
	await expect(pathOf(name)).rejects.toThrow(`${name} ${reason}`);
});

test('files inside are read, also by a link and by their whole path', async () => {
	const { root } = await createFolders();
	const { read, pathOf } = await openRoot(root);
	const names = ['file.log', './folder.log/../file.log', 'inside.log', join(root, 'file.log')];
	for (const name of names) {
		expect(Buffer.from(await read(name)).toString()).toBe('text');
		expect(await pathOf(name)).toBe(await pathOf('file.log'));
	}
});

test('a file is read up to the limit of a service', async () => {
	const { root } = await createFolders();
	const { read } = await openRoot(root);
	const limit = 16 * 1024 * 1024;
	await writeFile(join(root, 'largest'), Buffer.alloc(limit));
	expect(await read('largest')).toHaveLength(limit);
	await writeFile(join(root, 'larger'), Buffer.alloc(limit + 1));
	await expect(read('larger')).rejects.toThrow('larger is larger than 16 MiB');
});

test.each([
	...[...outsides, '../root-outside/new.log', '/tmp/new.log', 'links/new.log', '..', '.'].map(
		(name) => [name, 'is outside of'],
	),
	...[...links, 'dangling.log', 'inside.log', 'loop.log'].map((name) => [
		name,
		'cannot be used: it is a symbolic link',
	]),
	['folder.log', 'cannot be used: it is a directory'],
	['pipe.log', 'cannot be used: it is a pipe that nobody reads'],
	['none/new.log', 'cannot be used: it does not exist'],
	['file.log/new.log', 'cannot be used: its path leads through a file'],
])('%j is not written', async (name, reason) => {
	const { root, check } = await createFolders();
	const { write } = await openRoot(root);
	await expect(write(name, 'log')).rejects.toThrow(`${name} ${reason}`);
	await check();
});

test('a file is created, and replaced', async () => {
	const { root } = await createFolders();
	const { write } = await openRoot(root);
	for (const text of ['a longer text', 'text']) {
		await write('folder.log/new.log', text);
		expect(await readFile(join(root, 'folder.log/new.log'), 'utf8')).toBe(text);
	}
});

test('a folder that does not exist is an error', async () => {
	const reason = '/none/at/all cannot be used: it does not exist';
	await expect(openRoot('/none/at/all')).rejects.toThrow(reason);
});

test('no tool uses what is no file of the folder, or waits for a pipe', async () => {
	const { root, outside, check } = await createFolders();
	const { fail, use, lease } = await start(here(), { root });
	const lease_id = await lease('arduino-uno');
	const reason = expect.stringMatching(/ is outside of | is not a file$| cannot be used: it is a /);
	const whole = join(outside, 'secret.log');
	for (const name of [...outsides, ...links, whole, 'pipe.log', 'folder.log']) {
		expect(await fail('flash', { lease_id, firmware: name })).toEqual(reason);
		const tested = { lease_id, expect: ['x'] };
		expect(await fail('run_firmware', { ...tested, firmware: name })).toEqual(reason);
		const boards = [`dut=arduino-uno,${name}`];
		expect(await fail('run_firmware', { boards, expect: ['x'] })).toEqual(reason);
		expect(await fail('run_firmware', { lease_id, scenario: name })).toEqual(reason);
		expect(await fail('run_firmware', { ...tested, log: name })).toEqual(reason);
		expect(await fail('reset_and_capture', { lease_id, log: name })).toEqual(reason);
		expect(await fail('debug', { lease_id, elf: name, what: 'registers' })).toEqual(reason);
	}
	await check();
	expect(await open()).toMatchObject([{ id: lease_id }]);
	await use('release', { lease_id });
});
