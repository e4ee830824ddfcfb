// Builds an image without Docker: each stage is a folder, and its packages are linked from this
// repository. What the base images contain and what `npm ci` installs is not checked.
import { execFile, spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, readlink, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const repository = fileURLToPath(new URL('../../..', import.meta.url));

interface Stage {
	/** The folder that represents `/`. */
	root: string;
	workdir: string;
	command: string[];
}

/** Executes the instructions of a Dockerfile, and runs the command of its last stage. */
export async function rehearseImage(dockerfile: string) {
	const folder = await mkdtemp(join(tmpdir(), 'board-access-image-'));
	const stages = new Map<string, Stage>();
	let stage: Stage = { root: '', workdir: '/', command: [] };
	for (const [instruction = '', ...words] of await instructionsOf(dockerfile)) {
		switch (instruction) {
			case 'FROM':
				stage = { root: join(folder, String(stages.size)), workdir: '/', command: [] };
				stages.set(words[2] ?? '', stage);
				break;
			case 'WORKDIR':
				stage.workdir = words[0] ?? '/';
				break;
			case 'COPY':
				await copy(words, stage, stages);
				break;
			case 'RUN':
				await run(words.join(' '), join(stage.root, stage.workdir));
				break;
			case 'CMD':
				stage.command = JSON.parse(words.join(' '));
		}
	}
	return {
		start: (env: Record<string, string>) => start(stage, env),
		remove: () => rm(folder, { recursive: true }),
	};
}

async function instructionsOf(dockerfile: string) {
	const text = await readFile(join(repository, dockerfile), 'utf8');
	const lines = text.replaceAll('\\\n', ' ').split('\n');
	return lines.filter((line) => /^[A-Z]/.test(line)).map((line) => line.trim().split(/\s+/));
}

async function copy(words: string[], { root, workdir }: Stage, stages: Map<string, Stage>) {
	const from = words.find((word) => word.startsWith('--from='))?.slice('--from='.length);
	const source = from === undefined ? repository : (stages.get(from)?.root ?? '');
	const paths = words.filter((word) => !word.startsWith('--'));
	const target = paths.pop() ?? '';
	const place = target.startsWith('/') ? join(root, target) : join(root, workdir, target);
	for (const path of paths) {
		const into = target.endsWith('/') ? join(place, basename(path)) : place;
		await cp(join(source, path), into, {
			recursive: true,
			verbatimSymlinks: true,
			// As in `.dockerignore`, which does not apply to other stages.
			filter: (file) => from !== undefined || !/\/(node_modules|dist|\.git)$/.test(file),
		});
	}
}

async function run(commands: string, folder: string) {
	for (const command of commands.split(' && ')) {
		if (command.startsWith('npm ci')) await linkPackages(folder);
		else if (command.startsWith('npm ')) {
			await promisify(execFile)('sh', ['-c', command], { cwd: folder });
		}
	}
}

/** Links the installed packages, and the workspaces as `npm ci` does. */
async function linkPackages(folder: string) {
	for (const workspace of ['.', 'service', 'agent']) {
		const modules = join(repository, workspace, 'node_modules');
		const names = await readdir(modules).catch(() => []);
		await mkdir(join(folder, workspace, 'node_modules'), { recursive: true });
		for (const name of names.filter((each) => each !== '.cache')) {
			const target = await readlink(join(modules, name)).catch(() => join(modules, name));
			const link = join(folder, workspace, 'node_modules', name);
			await rm(link, { force: true });
			await symlink(target, link);
		}
	}
}

function start({ root, workdir, command }: Stage, env: Record<string, string>) {
	const words = command[0] === 'node' ? command.slice(1) : command;
	const child = spawn(process.execPath, words, {
		cwd: join(root, workdir),
		env: { PATH: dirname(process.execPath), ...env },
	});
	let text = '';
	for (const stream of [child.stdout, child.stderr]) {
		stream.on('data', (data) => {
			text += data;
		});
	}
	return { output: () => text, stop: () => child.kill() };
}
