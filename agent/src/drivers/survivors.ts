// Ends the tools, and removes the files, that an agent has left when it was killed.
import { execFile, spawn } from 'node:child_process';
import { hash, randomUUID } from 'node:crypto';
import { lstat, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { AgentError } from '../errors.ts';
import { wait } from '../time.ts';

/** A variable in the environment of every tool. */
export const markName = 'BOARD_ACCESS_AGENT_TOOL';

/** How long processes may take to end after SIGKILL, in milliseconds. */
const maxEnd = 5_000;

/** The mark of the tools of a board. It stays the same for an agent with a state file. */
export function markOf(stateFile: string | undefined, boardId: string): string {
	const agent = stateFile === undefined ? randomUUID() : resolve(stateFile);
	return hash('sha256', `${agent}\n${boardId}`).slice(0, 32);
}

const processId = randomUUID();

/** The beginning of the name of each folder with files for a tool. */
export const folderName = (mark: string) => `board-access-agent-${mark}-${processId}-`;

/** Removes the folders of earlier processes with this mark. */
export async function removeFolders(mark: string): Promise<void> {
	for (const name of await readdir(tmpdir()).catch(() => [])) {
		if (!name.startsWith(`board-access-agent-${mark}-`) || name.includes(processId)) continue;
		const path = join(tmpdir(), name);
		const uid = (await lstat(path).catch(() => undefined))?.uid;
		// Folders of other users are left alone.
		if (process.getuid && uid !== process.getuid()) continue;
		await rm(path, { recursive: true, force: true }).catch(() => {});
	}
}

/** Ends all tools with this mark, and removes their files. */
export async function endSurvivors(mark: string): Promise<void> {
	const end = performance.now() + maxEnd;
	for (;;) {
		const survivors = await findMarked(`${markName}=${mark}`);
		if (survivors.length === 0) return removeFolders(mark);
		if (performance.now() > end) {
			throw new AgentError(`A tool of an earlier lease cannot be ended: process ${survivors[0]}`);
		}
		for (const pid of survivors) kill(pid, 'SIGKILL');
		await wait(20);
	}
}

/** Ends the process group when this process ends, however that happens. */
export function guardGroup(group: number): { dispose(): void } {
	const text = 'trap "" TERM INT HUP; read -r line; kill -s KILL -- "-$1"';
	const guard = spawn('/bin/sh', ['-c', text, 'guard', String(group)], {
		detached: true,
		env: {},
		stdio: ['pipe', 'ignore', 'ignore'],
	});
	guard.on('error', () => {}); // the tools are ended when the agent returns
	return { dispose: () => void guard.kill('SIGKILL') };
}

/** On other systems, tools are not found. */
async function findMarked(entry: string): Promise<number[]> {
	if (process.platform === 'linux') return findInProc(entry);
	return process.platform === 'darwin' ? findByPs(entry) : [];
}

async function findInProc(entry: string): Promise<number[]> {
	const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
	const marked = await Promise.all(
		pids.map(async (pid) => {
			// It has ended, or belongs to another user.
			const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
			return environment.split('\0').includes(entry);
		}),
	);
	return pids.filter((_, index) => marked[index]).map(Number);
}

async function findByPs(entry: string): Promise<number[]> {
	const options = { maxBuffer: 64 * 1024 * 1024 };
	const { stdout } = await promisify(execFile)('ps', ['-axEww', '-o', 'pid=,command='], options);
	const lines = stdout.split('\n').filter((line) => line.split(' ').includes(entry));
	return lines.map((line) => Number.parseInt(line, 10));
}

/** Signals a process, or a group by its negative number, unless it has ended. */
export function kill(pid: number, signal: NodeJS.Signals): void {
	try {
		process.kill(pid, signal);
	} catch {
		// It has ended.
	}
}
