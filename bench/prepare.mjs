// Installs what is measured, and builds what is measured against it. Plain JavaScript, because it
// runs before anything is there.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const here = (relative) => fileURLToPath(new URL(relative, import.meta.url));

const read = (file) => {
	try {
		return readFileSync(here(file), 'utf8');
	} catch {
		return '';
	}
};

const npm = (...argv) => execFileSync('npm', argv, { cwd: here('..'), stdio: 'inherit' });

const { packages } = JSON.parse(read('package-lock.json'));
const installed = JSON.parse(read('node_modules/.package-lock.json') || '{}').packages ?? {};
const isThere = ([folder, { version, optional }]) =>
	folder === '' || optional || installed[folder]?.version === version;

if (!Object.entries(packages).every(isThere))
	npm('ci', '--prefix', 'bench', '--no-audit', '--no-fund');
npm('run', 'build', '--silent');
