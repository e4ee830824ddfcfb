// board-access-service start

import { settingsFrom } from 'board-access-core';
import type { Command } from 'commander';
import { emulatedBoards } from '../demo/agent.ts';
import { type RunningService, startServer } from '../server.ts';
import { warnAboutDatabase } from './warn-about-database.ts';
import { databaseOption } from './with-database.ts';

interface StartOptions {
	demo?: boolean;
	port?: string;
	host?: string;
	database?: string;
}

export function startCommand(program: Command) {
	const command = program
		.command('start')
		.description('serve the API and the web pages')
		.option(
			'--demo',
			'fill a database, in memory unless --database is given, with samples and print new credentials',
		)
		.option('--port <number>', 'port to listen on (PORT)')
		.option('--host <address>', 'address to listen on (HOST)');
	databaseOption(command).action(start);
}

async function start({ demo = false, port, host, database }: StartOptions) {
	const options = { PORT: port, HOST: host, DATABASE_URL: database };
	// A line for each request would hide the output of the demo.
	const quiet = demo && { LOG_LEVEL: 'warn' };
	const settings = settingsFrom({ ...quiet, ...process.env }, { demo, options });
	warnAboutDatabase(settings.database, database);
	const service = await startServer({ ...settings, demo, log: true });
	stopOnSignal(service);
	announce(service);
	if (demo) await startDemoBoards(service);
}

const maxSeconds = 10;

function stopOnSignal({ stop, services: { log } }: RunningService) {
	for (const signal of ['SIGTERM', 'SIGINT'] as const) {
		process.once(signal, async () => {
			log.info({ signal }, 'Stopping');
			setTimeout(giveUp, maxSeconds * 1000).unref();
			await stop();
		});
	}
}

/** Ends the process even if something blocks it, such as a database that does not respond. */
function giveUp() {
	console.error(`The service did not stop within ${maxSeconds} seconds; exiting.`);
	process.exit(1);
}

/** Runs after the announcement: the service is ready, the emulated boards follow. */
async function startDemoBoards({ startAgent, services: { log, stopping } }: RunningService) {
	try {
		await startAgent();
		const lines = emulatedBoards.map(({ id, type }) => `  ${id.padEnd(20)} ${type}\n`);
		console.log(`Emulated boards that can be flashed and used:\n${lines.join('')}`);
	} catch (error) {
		if (stopping.aborted) return;
		log.warn({ error }, 'The emulated boards of the demo are not available');
	}
}

function announce({ address, demo, services: { log } }: RunningService) {
	log.info({ address }, 'Listening');
	// Before the output that is printed next to the log.
	log.flush();
	if (!demo) return;
	console.log(`
Board Access Service, demo: ${address}
  email      ${demo.email}
  password   ${demo.password}
  API key    ${demo.apiKey}

A colleague, on the free tier:
  email      ${demo.freeEmail}
  password   ${demo.password}
  API key    ${demo.freeApiKey}

export SERVICE_BASE_URL=${address}
export SERVICE_API_KEY=${demo.apiKey}
`);
}
