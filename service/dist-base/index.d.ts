import { DestinationStream } from 'pino';

interface Demo {
	/** Key of an administrator on the paid tier. */
	apiKey: string;
	/** Key of an account on the free tier, which cannot create keys. */
	freeApiKey: string;
	/** The administrator's log-in. */
	email: string;
	password: string;
}

/** What the service runs with, once every default is known. */
interface Settings {
	/** Port to listen on; 0 picks a free one. */
	port: number;
	/** Address to listen on. */
	host: string;
	/** `:memory:`, the path of an SQLite file, or a `postgres://` address. */
	database: string;
	/** Public address of the API. */
	baseUrl: string;
	/** Public address of the web pages; by default that of the API. */
	webUrl: string;
	/** Whether the caller is the last address in `X-Forwarded-For`, as behind a proxy of one's own. */
	trustProxy: boolean;
	/** Requests a minute with one API key. */
	rateLimitPerKey: number;
	/** Requests a minute with all API keys of one account, and as many on its pages. */
	rateLimitPerAccount: number;
	/** Refused keys a minute from one address, and as many log-ins and sign-ups. */
	rateLimitFailedCredentials: number;
	/** Least severity that is logged. */
	logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent';
}

/** What a service can be told; it needs none of it. */
interface ServiceOptions extends Partial<Omit<Settings, 'host' | 'port'>> {
	/** `:memory:` (the default), the path of an SQLite file, or a `postgres://` address. */
	database?: string;
	/** Fills the database with samples and answers the credentials to use them with. */
	demo?: boolean;
	/** Where log lines go: nowhere by default, `true` for standard output, or a stream. */
	log?: boolean | DestinationStream;
}
interface Service {
	/** Answers a request, as the HTTP server would. */
	fetch(this: void, input: Request | URL | string, init?: RequestInit): Promise<Response>;
	/** Finishes what runs in the background and closes the database. */
	close(): Promise<void>;
	/** The credentials of the samples, in demo mode. */
	readonly demo?: Demo;
}
/** Opens the database, brings it up to date, and answers the service that runs on it. */
declare function createService(options?: ServiceOptions): Promise<Service>;

export type { Demo, Service, ServiceOptions };
export { createService };
