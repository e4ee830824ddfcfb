// What the operator can do to a running agent: change its configuration, drain it, and stop it.
import { existsSync, unwatchFile, watchFile } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { type RunningAgent, startAgent } from './agent.ts';
import { type CheckedConfig, ConfigError, readConfig, readSettings } from './config.ts';
import { messageOf } from './errors.ts';
import { type AgentLog, createLog } from './log.ts';
import { wait } from './time.ts';

/** How often to look whether a file was changed or replaced, in milliseconds. */
const interval = 1_000;

/** How long to wait before a configuration is tried again, in milliseconds. */
const retryPause = 60_000;

/** A board that is not erased in this time is erased before its next lease. In milliseconds. */
const maxStop = 30_000;

export async function start({ config: file }: { config: string }): Promise<void> {
	// A full disk or a closed pipe must not end a lease.
	process.stdout.on('error', () => {});
	const log = createLog();
	let config = await readConfig(file);
	const agent = await startAgent({ config, log });
	const { stop, drain } = createEnd(agent, log);
	process.once('SIGINT', stop);
	process.once('SIGTERM', (signal) => {
		process.once('SIGTERM', stop);
		setTimeout(stop, config.drain_timeout * 1_000, 'drain_timeout has passed').unref();
		drain(signal);
	});
	const readAgain = async () => {
		try {
			const next = await readConfig(file);
			if (next.token_file !== config.token_file) {
				if (config.token_file) unwatchFile(config.token_file);
				if (next.token_file) whenChanged(next.token_file, reload);
			}
			config = next;
			await agent.reload(next);
			log.info({ boards: config.boards.length }, 'The configuration was read again');
		} catch (error) {
			const problems = messageOf(error).split('\n');
			if (error instanceof ConfigError) {
				log.error({ problems }, 'The configuration cannot be used: the old one stays in use');
				return;
			}
			log.error({ problems }, 'The configuration cannot be used yet: trying again in a minute');
			setTimeout(reload, retryPause).unref();
		}
	};
	let reading = Promise.resolve();
	const reload = () => {
		reading = reading.then(readAgain);
	};
	// When a terminal is closed, what runs in it ends.
	process.on('SIGHUP', process.stdin.isTTY ? stop : reload);
	whenChanged(file, reload);
	if (config.token_file) whenChanged(config.token_file, reload);
	const request = drainRequest(config);
	whenChanged(request, async () => {
		drain('drain');
		await rm(request, { force: true }).catch(() => {}); // the command says so
	});
}

function createEnd(agent: RunningAgent, log: AgentLog) {
	let isStopping = false;
	const stop = (reason: string) => {
		if (isStopping) return;
		isStopping = true;
		log.info({ reason }, 'Stopping');
		// A port may hang.
		setTimeout(() => process.exit(1), maxStop).unref();
		void agent.stop();
	};
	const drain = (reason: string) => {
		log.info({ reason }, 'Accepting no new leases; stopping when the present ones have ended');
		void agent.drain().then(() => stop('no board has a lease'));
	};
	return { stop, drain };
}

/** Editors replace files, so the path is watched. */
function whenChanged(path: string, work: () => unknown) {
	watchFile(path, { interval, persistent: false }, ({ mtimeMs: changedAt }) => {
		if (changedAt > 0) work(); // it exists
	});
}

/** Has the agent that runs with this configuration drain its boards. */
export async function requestDrain({ config: file }: { config: string }): Promise<void> {
	const request = drainRequest(await readSettings(file));
	await rm(request, { force: true });
	// Does not follow a link, which the agent's user could have put there for root.
	await writeFile(request, '', { flag: 'wx' });
	const end = performance.now() + 3 * interval;
	while (existsSync(request) && performance.now() < end) await wait(100);
	const isIgnored = existsSync(request);
	await rm(request, { force: true });
	const advice = 'Use the configuration and the STATE_DIRECTORY of the agent.';
	if (isIgnored) throw new Error(`No running agent has noticed ${request}. ${advice}`);
	console.log('The agent accepts no new leases, and stops when the present ones have ended.');
}

/** A file that the agent removes when it has noticed it. */
const drainRequest = ({ state_file: stateFile }: Partial<CheckedConfig>) => `${stateFile}.drain`;
