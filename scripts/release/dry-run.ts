// Rehearses a release in a copy: raises the version, packs, publishes to a registry on this
// machine, installs from there in an empty project, and runs what was installed.
import { execFile, execFileSync, spawnSync } from 'node:child_process';
import {
	cpSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startRegistry } from './registry.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'board-access-release-'));
const copy = join(folder, 'copy');
const consumer = join(folder, 'consumer');

const upstream = execFileSync('npm', ['config', 'get', 'registry'], {
	cwd: root,
	encoding: 'utf8',
});
const registry = await startRegistry(upstream.trim());
const env = {
	...process.env,
	npm_config_userconfig: join(folder, 'npmrc'),
	npm_config_registry: registry.url,
};
// npm refuses to publish without a token, even to a registry that needs none.
writeFileSync(
	env.npm_config_userconfig,
	`${registry.url.replace('http:', '')}:_authToken=rehearsal\n`,
);
try {
	console.log('1. raise the version in a copy');
	await copyProject();
	await run('npx', ['changeset', 'version'], { cwd: copy });
	const packages = publicPackages();
	console.log(packages.map(({ name, version }) => `   ${name} ${version}`).join('\n'));

	console.log('2. pack and publish to a registry on this machine');
	await run('npx', ['changeset', 'publish', '--no-git-tag'], { cwd: copy });
	checkPublished(packages);

	console.log('3. install in an empty project and run');
	mkdirSync(consumer);
	writeFileSync(join(consumer, 'package.json'), '{}');
	const names = packages.map(({ name }) => name);
	await run('npm', ['install', '--no-audit', '--no-fund', ...names], { cwd: consumer });
	for (const { name, version } of packages) await checkCommand(name, version);

	console.log('4. start the action from its tag');
	const tag = (await run('node', ['scripts/release/tag-action.ts'], { cwd: copy })).trim();
	await checkAction(tag);
	console.log('The release works.');
} finally {
	registry.close();
	rmSync(folder, { recursive: true, force: true });
}

interface Package {
	name: string;
	version: string;
	private?: boolean;
}

async function copyProject() {
	const listed = await run('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root });
	for (const file of listed.split('\n').filter(Boolean)) {
		mkdirSync(dirname(join(copy, file)), { recursive: true });
		cpSync(join(root, file), join(copy, file));
	}
	for (const modules of ['node_modules', 'service/node_modules']) {
		symlinkSync(join(root, modules), join(copy, modules));
	}
	writeFileSync(
		join(copy, '.changeset/rehearsal.md'),
		'---\n"board-access": patch\n---\n\nA rehearsal.\n',
	);
	const author = ['-c', 'user.name=rehearsal', '-c', 'user.email=rehearsal@localhost'];
	await run('git', ['init', '--quiet', '--initial-branch', 'main'], { cwd: copy });
	await run('git', ['add', '--all'], { cwd: copy });
	await run('git', [...author, 'commit', '--quiet', '--message', 'A rehearsal'], { cwd: copy });
}

function readPackage(path: string): Package & { workspaces?: string[] } {
	return JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
}

function publicPackages(): Package[] {
	const { workspaces = [] } = readPackage(copy);
	const packages = workspaces.map((path) => readPackage(join(copy, path)));
	const [first] = packages;
	const differing = packages.filter((each) => !each.private && each.version !== first?.version);
	if (differing.length > 0) throw new Error(`Versions differ: ${JSON.stringify(differing)}`);
	return packages.filter((each) => !each.private);
}

function checkPublished(packages: Package[]) {
	for (const { name } of packages) {
		if (!registry.has(name)) throw new Error(`${name} was not published`);
	}
	if (registry.has('board-access-contract')) {
		throw new Error('board-access-contract is private, but was published');
	}
}

async function checkCommand(name: string, version: string) {
	const output = await run('npx', ['--no-install', name, '--version'], { cwd: consumer });
	const printed = output.trim();
	if (printed !== version) throw new Error(`${name} --version prints ${printed}, not ${version}`);
	console.log(`   ${name} --version prints ${printed}`);
}

/** As a runner does: clones the tag, and starts the file that `action.yml` names. */
async function checkAction(tag: string) {
	const action = join(folder, 'action');
	await run(
		'git',
		['-c', 'advice.detachedHead=false', 'clone', '--quiet', '--branch', tag, copy, action],
		{
			cwd: folder,
		},
	);
	const [, file = ''] =
		/^ {2}main: (.+)$/m.exec(readFileSync(join(action, 'action.yml'), 'utf8')) ?? [];
	const { stdout } = spawnSync(process.execPath, [file], {
		cwd: action,
		encoding: 'utf8',
		env: { PATH: process.env.PATH },
	});
	if (!stdout.includes('::error::No API key')) throw new Error(`The action prints ${stdout}`);
	console.log(`   ${file} of ${tag} runs`);
}

/** What it prints. The registry is in this process, and responds meanwhile. */
async function run(command: string, argv: string[], options: { cwd: string }) {
	const { stdout } = await promisify(execFile)(command, argv, { env, maxBuffer: 1e8, ...options });
	return stdout;
}
