// Runs the tests with the environment of another machine: zone, language, columns, colors, blanks in paths,
// a proxy that nobody serves, a umask, and another monospaced font. Arguments go to vitest.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = mkdtempSync(join(tmpdir(), 'elsewhere-'));
const within = (name: string) => {
	mkdirSync(join(folder, name));
	return join(folder, name);
};

/** Makes `monospace` mean the last such font of this machine. */
function fontSettings() {
	const { stdout } = spawnSync('fc-list', [':spacing=mono', 'family'], { encoding: 'utf8' });
	const family = stdout?.trim().split('\n').toSorted().at(-1)?.split(',')[0] || 'monospace';
	const path = join(folder, 'fonts.conf');
	writeFileSync(
		path,
		`<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><include>/etc/fonts/fonts.conf</include>
<match target="pattern"><test name="family"><string>monospace</string></test>
<edit name="family" mode="prepend" binding="strong"><string>${family}</string></edit></match>
</fontconfig>`,
	);
	return path;
}

chmodSync(folder, 0o755);
const proxy = 'http://127.0.0.1:9';
const env = {
	...process.env,
	TZ: 'Asia/Kolkata',
	LANG: 'de_DE.UTF-8',
	COLUMNS: '60',
	FORCE_COLOR: '1',
	HOME: within('home of a user'),
	TMPDIR: within('temporary files'),
	http_proxy: proxy,
	HTTP_PROXY: proxy,
	HTTPS_PROXY: proxy,
	FONTCONFIG_FILE: fontSettings(),
};
chmodSync(env.TMPDIR, 0o1777);
process.umask(0o027);
const { status } = spawnSync('npm', ['run', 'test:short', '--', ...process.argv.slice(2)], {
	env,
	stdio: 'inherit',
});
rmSync(folder, { recursive: true, force: true });
process.exitCode = status ?? 1;
