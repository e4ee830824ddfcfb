// Installs a package outside the workspaces (lab, scripts/release), unless it is installed
// as in its lock file. Plain JavaScript, because it runs before anything is installed.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const [name] = process.argv.slice(2);
const root = fileURLToPath(new URL('..', import.meta.url));

const packagesIn = (file) => {
	try {
		return JSON.parse(readFileSync(`${root}/${name}/${file}`, 'utf8')).packages;
	} catch {
		return {};
	}
};

const installed = packagesIn('node_modules/.package-lock.json');
const isThere = ([folder, { version, optional }]) =>
	folder === '' || optional || installed[folder]?.version === version;

if (!Object.entries(packagesIn('package-lock.json')).every(isThere)) {
	const argv = ['ci', '--prefix', name, '--no-audit', '--no-fund'];
	execFileSync('npm', argv, { cwd: root, stdio: 'inherit' });
}
