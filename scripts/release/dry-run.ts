// Rehearses a release in a copy: raises the version, packs, publishes to a registry on this
// machine, installs from there in an empty project, and runs what was installed.
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import {
	cpSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'board-access-release-'));
const copy = join(folder, 'copy');
const consumer = join(folder, 'consumer');

const port = await freePort();
const registry = `http://127.0.0.1:${port}/`;
const env = {
	...process.env,
	npm_config_userconfig: join(folder, 'npmrc'),
	npm_config_registry: registry,
};
let server: ChildProcess | undefined;
try {
	console.log('1. raise the version in a copy');
	copyProject();
	run('npx', ['changeset', 'version'], { cwd: copy });
	const packages = publicPackages();
	console.log(packages.map(({ name, version }) => `   ${name} ${version}`).join('\n'));

	console.log('2. pack and publish to a registry on this machine');
	server = await startRegistry();
	run('npx', ['changeset', 'publish', '--no-git-tag'], { cwd: copy });
	await checkPublished(packages);

	console.log('3. install in an empty project and run');
	mkdirSync(consumer);
	writeFileSync(join(consumer, 'package.json'), '{}');
	const names = packages.map(({ name }) => name);
	run('npm', ['install', '--no-audit', '--no-fund', ...names], { cwd: consumer });
	for (const { name, version } of packages) checkCommand(name, version);

	console.log('4. start the action from its tag');
	const tag = run('node', ['scripts/release/tag-action.ts'], { cwd: copy }).trim();
	checkAction(tag);
	console.log('The release works.');
} finally {
	server?.kill();
	rmSync(folder, { recursive: true, force: true });
}

interface Package {
	name: string;
	version: string;
	private?: boolean;
}

function copyProject() {
	const listed = run('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root });
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
	run('git', ['init', '--quiet', '--initial-branch', 'main'], { cwd: copy });
	run('git', ['add', '--all'], { cwd: copy });
	run('git', [...author, 'commit', '--quiet', '--message', 'A rehearsal'], { cwd: copy });
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

/** Starts verdaccio, which takes every other package from the registry that npm is set to use. */
async function startRegistry() {
	const upstream = run('npm', ['config', 'get', 'registry'], {
		cwd: root,
		env: process.env,
	}).trim();
	const config = {
		storage: join(folder, 'storage'),
		uplinks: { upstream: { url: upstream } },
		packages: {
			'board-access*': { access: '$all', publish: '$all' },
			'**': { access: '$all', proxy: 'upstream' },
		},
		max_body_size: '50mb',
		log: { type: 'stdout', level: 'error' },
	};
	writeFileSync(join(folder, 'config.yaml'), JSON.stringify(config));
	// npm refuses to publish without a token, even to a registry that needs none.
	writeFileSync(env.npm_config_userconfig, `//127.0.0.1:${port}/:_authToken=rehearsal\n`);
	const verdaccio = fileURLToPath(
		new URL('./node_modules/verdaccio/bin/verdaccio', import.meta.url),
	);
	const argv = [
		verdaccio,
		'--config',
		join(folder, 'config.yaml'),
		'--listen',
		`127.0.0.1:${port}`,
	];
	const child = spawn(process.execPath, argv, { stdio: 'inherit' });
	for (let attempt = 0; attempt < 100; attempt += 1) {
		if (
			await fetch(`${registry}-/ping`).then(
				({ ok }) => ok,
				() => false,
			)
		)
			return child;
		await wait(200);
	}
	child.kill();
	throw new Error('The registry did not start');
}

async function checkPublished(packages: Package[]) {
	for (const { name, version } of packages) {
		const { status } = await fetch(`${registry}${name}/${version}`);
		if (status !== 200) throw new Error(`${name} ${version} was not published: ${status}`);
	}
	const { status } = await fetch(`${registry}board-access-contract`);
	if (status !== 404) throw new Error('board-access-contract is private, but was published');
}

function checkCommand(name: string, version: string) {
	const printed = run('npx', ['--no-install', name, '--version'], { cwd: consumer }).trim();
	if (printed !== version) throw new Error(`${name} --version prints ${printed}, not ${version}`);
	console.log(`   ${name} --version prints ${printed}`);
}

/** As a runner does: clones the tag, and starts the file that `action.yml` names. */
function checkAction(tag: string) {
	const action = join(folder, 'action');
	run(
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

function run(command: string, argv: string[], options: { cwd: string; env?: NodeJS.ProcessEnv }) {
	return execFileSync(command, argv, {
		env,
		encoding: 'utf8',
		stdio: ['ignore', 'pipe', 'inherit'],
		...options,
	});
}

function freePort() {
	return new Promise<number>((resolve) => {
		const probe = createServer().listen(0, '127.0.0.1', () => {
			const address = probe.address();
			probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
		});
	});
}
