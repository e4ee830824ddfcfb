// Puts the service together: a fetch function, with no socket.

import {
	createLog,
	type Given,
	openCore,
	type Settings,
	sandbox,
	settingsFrom,
} from 'board-access-core';
import { createCookies } from 'board-access-http/cookies';
import { createLimits } from 'board-access-http/limits/rate-limits';
import type { DestinationStream } from 'pino';
import { createApp } from './app.ts';
import { createChannels } from './channels/channels.ts';
import { startDemoAgent } from './demo/agent.ts';
import { type Demo, seedDemo } from './demo/seed.ts';
import { createMetrics } from './server/metrics.ts';
import type { Services } from './services.ts';

/** Options of a service; every one is optional. */
export interface ServiceOptions extends Partial<Omit<Settings, 'host' | 'port'>> {
	/** `:memory:` (the default), the path of an SQLite file, or a `postgres://` address. */
	database?: string;
	/** Fills the database with samples and returns the credentials to use them with. */
	demo?: boolean;
	/** Runs an agent with emulated boards in addition to the samples. For demo mode only. */
	agent?: boolean;
	/** Where log lines go: nowhere by default, `true` for standard output, or a stream. */
	log?: boolean | DestinationStream;
}

export interface Service {
	/** Handles a request, as the HTTP server would. */
	fetch(this: void, input: Request | URL | string, init?: RequestInit): Promise<Response>;
	/** Finishes what runs in the background and closes the database. */
	close(): Promise<void>;
	/** The credentials of the samples, in demo mode. */
	readonly demo?: Demo;
}

/** Opens the database, brings it up to date, and returns the service that runs on it. */
export async function createService(options: ServiceOptions = {}): Promise<Service> {
	const { app, close, demo, startAgent } = await assemble(options);
	if (options.agent) await startAgent();
	return {
		fetch: async (input, init) => app.fetch(new Request(input, init), {}),
		close,
		...(demo && { demo }),
	};
}

/** The same with its inner services, for the HTTP server and the command line. */
export async function assemble(options: ServiceOptions, given?: Given) {
	const settings = settingsOf(options);
	if (options.demo && process.env.NODE_ENV === 'production') {
		throw new Error('Demo mode hands out credentials and does not run with NODE_ENV=production');
	}
	const destination = typeof options.log === 'object' ? options.log : undefined;
	const log = createLog(options.log ? settings.logLevel : 'silent', destination);
	const core = await openCore(settings, log, given);
	const demo = options.demo
		? await seedDemo(core).catch(async (error) => {
				await core.close();
				throw error;
			})
		: undefined;
	const limits = createLimits(core.database, settings);
	const services: Services = {
		...core,
		cookies: createCookies(settings),
		channels: createChannels(core, limits),
		limits,
		metrics: createMetrics(core),
		payments: options.demo ? sandbox : undefined,
	};
	const app = createApp(services);
	core.start();
	let agent: ReturnType<typeof startDemoAgent> | undefined;
	return {
		app,
		services,
		demo,
		/** Starts the agent of the demo, which sends its requests to this process. */
		async startAgent() {
			if (!demo) throw new Error('Only demo mode can run its own agent');
			const send = async (url: string, init: RequestInit) => app.fetch(new Request(url, init), {});
			agent = startDemoAgent(services, send);
			await (await agent).whenConnected();
		},
		/** From here on every request gets a 503. */
		rejectRequests: core.stop,
		async close() {
			core.stop();
			services.channels.close();
			await (await agent?.catch(() => undefined))?.stop();
			await core.close();
		},
	};
}

function settingsOf({
	database = ':memory:',
	baseUrl = 'http://localhost',
	demo,
	agent: _agent,
	log: _log,
	...given
}: ServiceOptions): Settings {
	return { ...settingsFrom({}, { demo }), webUrl: baseUrl, ...given, database, baseUrl };
}
