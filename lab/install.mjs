// Installs the packages of the lab, which are outside the workspaces, unless they are installed as in the lock
// file. Plain JavaScript, because it runs before anything is installed.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const lab = fileURLToPath(new URL('.', import.meta.url));

const packagesIn = (file) => {
	try {
		return JSON.parse(readFileSync(lab + file, 'utf8')).packages;
	} catch {
		return {};
	}
};

const installed = packagesIn('node_modules/.package-lock.json');
const isThere = ([folder, { version, optional }]) =>
	folder === '' || optional || installed[folder]?.version === version;

if (!Object.entries(packagesIn('package-lock.json')).every(isThere)) {
	execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: lab, stdio: 'inherit' });
}
