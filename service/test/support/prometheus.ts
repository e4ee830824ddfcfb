// A real Prometheus that reads the metrics of services, with the alerts that are shipped.
import { type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../../core/test/support/free-port.ts';

/** CI installs Prometheus; elsewhere it may be missing. */
export const hasPrometheus =
	process.env.REQUIRE_TOOLS !== undefined ||
	spawnSync('promtool', ['--version']).error === undefined;

export const alertsFile = fileURLToPath(new URL('../../deploy/alerts.yaml', import.meta.url));

export const metricsToken = 'the token of Prometheus';

/** Reads the metrics of these addresses, by default once a second. */
export async function startPrometheus(addresses: readonly string[], interval = '1s') {
	const folder = await mkdtemp(join(tmpdir(), 'board-access-prometheus-'));
	const targets = addresses.map((address) => new URL(address).host);
	const config = {
		global: { scrape_interval: interval, evaluation_interval: interval },
		rule_files: [alertsFile],
		scrape_configs: [
			{
				job_name: 'board-access',
				authorization: { credentials: metricsToken },
				static_configs: [{ targets }],
			},
		],
	};
	// JSON is YAML.
	await writeFile(join(folder, 'prometheus.yml'), JSON.stringify(config));
	const url = `http://127.0.0.1:${await freePort()}`;
	const child = spawn(
		'prometheus',
		[
			`--config.file=${folder}/prometheus.yml`,
			`--storage.tsdb.path=${folder}/data`,
			`--web.listen-address=${new URL(url).host}`,
		],
		{ stdio: ['ignore', 'ignore', 'pipe'] },
	);
	const exited = new Promise((resolve) => child.once('exit', resolve));
	const get = async (path: string) => (await (await fetch(`${url}/api/v1/${path}`)).json()).data;
	await isReady(child);
	return {
		url,
		/** The values of an expression now. */
		async query(expression: string): Promise<number[]> {
			const { result } = await get(`query?query=${encodeURIComponent(expression)}`);
			return result.map(({ value }: { value: [number, string] }) => Number(value[1]));
		},
		/** The names of the alerts that are pending or fire. */
		async alerts(): Promise<string[]> {
			const { alerts } = await get('alerts');
			return alerts.map(({ labels }: { labels: Record<string, string> }) => labels.alertname);
		},
		async close() {
			child.kill('SIGKILL');
			await exited;
			await rm(folder, { recursive: true, force: true });
		},
	};
}

function isReady(child: ChildProcessByStdio<null, null, Readable>) {
	let log = '';
	return new Promise<void>((resolve, reject) => {
		child.stderr.on('data', (text) => {
			log += text;
			if (log.includes('Server is ready to receive web requests')) resolve();
		});
		child.once('exit', () => reject(new Error(log)));
	});
}
