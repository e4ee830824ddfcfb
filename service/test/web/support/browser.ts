// Finds and starts the Chromium of this machine.
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';

const usual = [
	process.env.CHROMIUM_PATH ?? '',
	// Opens a page in half the time, because it has no windows.
	'/usr/bin/chromium-headless-shell',
	'/usr/bin/chromium',
	'/usr/bin/chromium-browser',
	'/usr/bin/google-chrome',
	'/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

export const browserPath = usual.find((path) => path !== '' && existsSync(path));

export function launch() {
	if (!browserPath) throw new Error('No Chromium found: install one or set CHROMIUM_PATH');
	return chromium.launch({
		executablePath: browserPath,
		args: [
			'--headless',
			'--no-sandbox',
			'--disable-gpu',
			// A process less for each page, and none that draws by software what nobody sees.
			'--in-process-gpu',
			'--disable-gpu-rasterization',
			'--renderer-process-limit=1',
			'--disable-features=site-per-process',
			'--disable-quic',
			'--no-first-run',
			'--disable-background-networking',
			'--disable-component-update',
			'--disable-sync',
		],
	});
}
