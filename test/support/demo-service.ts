// A demo service in its own process, as a user starts it. Needs a build.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface DemoService {
	/** The environment that points a client at it, with the key of an admin. */
	env: { SERVICE_BASE_URL: string; SERVICE_API_KEY: string };
	stop(): Promise<void>;
}

const main = fileURLToPath(new URL('../../service/dist/main.js', import.meta.url));

export async function startDemoService(): Promise<DemoService> {
	const service = spawn(process.execPath, [main, 'start', '--demo', '--port', '0'], {
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	let printed = '';
	service.stdout.setEncoding('utf8').on('data', (text) => {
		printed += text;
	});
	// Its boards can be used only then.
	while (!/Emulated boards/.test(printed)) {
		await Promise.race([once(service.stdout, 'data'), once(service, 'exit')]);
		if (service.exitCode !== null) throw new Error(`The demo service did not start: ${printed}`);
	}
	const [, baseUrl = ''] = /demo: (\S+)/.exec(printed) ?? [];
	const [, apiKey = ''] = /API key +(\S+)/.exec(printed) ?? [];
	return {
		env: { SERVICE_BASE_URL: baseUrl, SERVICE_API_KEY: apiKey },
		async stop() {
			service.kill();
			await once(service, 'exit');
		},
	};
}
