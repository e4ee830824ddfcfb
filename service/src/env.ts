// Every setting of the service: its variable, its default, its rule. Checked once, at start.
import * as z from 'zod/mini';
import { isPostgres } from './database/location.ts';
import { explain } from './validation.ts';

const digits = z.string().check(z.regex(/^\d+$/, 'must be a whole number'));
const webAddress = z.string().check(
	z.refine(
		(text) => /^https?:\/\/[^/]/.test(text) && URL.canParse(text),
		'must be an http or https address',
	),
	z.overwrite((text) => text.replace(/\/+$/, '')),
	z.refine((text) => !text.endsWith('/v1'), 'must not end in /v1: every request adds it'),
);
// Refused here, without its value: whatever tries to open it would show the password in it.
const databaseLocation = z.string().check(
	z.trim(),
	z.minLength(1),
	z.refine(
		(text) => isPostgres(text) || !text.includes('://'),
		'must be a path or a postgres:// address',
	),
	z.refine(
		// Without a host it is the machine's own.
		(text) => !isPostgres(text) || URL.canParse(text.replace('@/', '@localhost/')),
		'is not a valid address; write # / ? @ : in its password as %23 %2F %3F %40 %3A',
	),
);
const offUnlessTrue = z.pipe(
	z._default(z.enum(['true', 'false']), 'false'),
	z.transform((text) => text === 'true'),
);

export const variables = {
	PORT: z
		._default(wholeNumber(0, 65_535), 8787)
		.check(z.describe('Port to listen on; 0 picks a free one')),
	HOST: z._default(z.string(), '127.0.0.1').check(z.describe('Address to listen on')),
	DATABASE_URL: z
		._default(databaseLocation, 'board-access.db')
		.check(z.describe('Path of an SQLite file, or a `postgres://` address')),
	BASE_URL: z
		.optional(webAddress)
		.check(
			z.describe('Public address of the API; by default the address that the service listens on'),
		),
	WEB_URL: z
		.optional(webAddress)
		.check(z.describe('Public address of the web pages; by default `BASE_URL`')),
	TRUST_PROXY: offUnlessTrue.check(
		z.describe(
			'`true` behind your own proxy: the client address is then the last one in `X-Forwarded-For`',
		),
	),
	RATE_LIMIT_PER_KEY: z
		._default(wholeNumber(1, 1e9), 600)
		.check(z.describe('Requests per minute with one API key')),
	RATE_LIMIT_PER_ACCOUNT: z
		._default(wholeNumber(1, 1e9), 1200)
		.check(
			z.describe(
				'Requests per minute with all API keys of an account, and as many to the web pages',
			),
		),
	RATE_LIMIT_FAILED_CREDENTIALS: z
		._default(wholeNumber(1, 1e9), 30)
		.check(
			z.describe(
				'Invalid keys per minute from one address, and as many logins and sign-ups; ten times as many logins to one account',
			),
		),
	KEYS_PER_ACCOUNT: z
		._default(wholeNumber(1, 1e9), 1000)
		.check(z.describe('Live API keys that an account can have')),
	SIGNUP: z
		._default(z.enum(['open', 'invite', 'closed']), 'open')
		.check(
			z.describe(
				'Who can sign up: everyone (`open`), whoever has an invitation (`invite`) or nobody (`closed`)',
			),
		),
	SMTP_URL: z
		.optional(
			z
				.string()
				.check(
					z.refine(
						(text) => /^smtps?:\/\/[^/]/.test(text) && URL.canParse(text),
						'must be an smtp:// or smtps:// address',
					),
				),
		)
		.check(z.describe('Mail server, `smtps://name:password@host`; without one, no mail is sent')),
	MAIL_FROM: z
		.optional(z.string().check(z.trim(), z.maxLength(200)))
		.check(z.describe('Sender of mail; by default `board-access@` and the host of `WEB_URL`')),
	CONTACT: z
		.optional(z.string().check(z.trim(), z.maxLength(200)))
		.check(
			z.describe('Whom users ask for credits or help: an email address, a web address or a name'),
		),
	LEASE_MAX_MINUTES: z
		._default(wholeNumber(1, 525_600), 1440)
		.check(z.describe('Maximum duration of a lease in minutes, including renewals')),
	LEASES_PER_ACCOUNT: z
		._default(wholeNumber(1, 1e9), 10)
		.check(z.describe('Live leases that an account can have, including queued ones')),
	AGENT_TIMEOUT: z
		._default(wholeNumber(1, 3600), 30)
		.check(z.describe('Seconds of silence after which an agent and its boards count as offline')),
	RATE_LIMIT_PER_AGENT: z
		._default(wholeNumber(1, 1e9), 60_000)
		.check(z.describe('Requests per minute from one agent to one replica')),
	RATE_LIMIT_CONSOLE_INPUT: z
		._default(wholeNumber(1, 1e9), 3000)
		.check(z.describe('Console input requests per minute from one account to one replica')),
	IMAGE_HOSTS: z
		.pipe(z.optional(z.string()), z.transform(hostList))
		.check(
			z.describe(
				'Hosts in private networks from which base images may be downloaded: `host` or `host:port`, separated by commas',
			),
		),
	LOG_LEVEL: z
		._default(z.enum(['debug', 'info', 'warn', 'error', 'silent']), 'info')
		.check(z.describe('Minimum severity of log lines')),
} as const;

/** What demo mode assumes instead: nothing is kept, and nobody is slowed down. */
const demoDefaults = {
	DATABASE_URL: ':memory:',
	RATE_LIMIT_PER_KEY: '60000',
	RATE_LIMIT_PER_ACCOUNT: '60000',
	RATE_LIMIT_FAILED_CREDENTIALS: '300',
	LEASES_PER_ACCOUNT: '1000',
};

const environment = z.object(variables);

/** What the service runs with, once every default is known. */
export interface Settings {
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
	/** Live API keys that one account can have. */
	keysPerAccount: number;
	/** Who can sign up: everyone, whoever has an invitation, or nobody. */
	signup: 'open' | 'invite' | 'closed';
	/** Mail server; without one, no mail is sent. */
	smtpUrl?: string | undefined;
	/** Sender of mail; by default `board-access@` and the host of the web pages. */
	mailFrom?: string | undefined;
	/** Whom users ask for credits or help: an email address, a web address or a name. */
	contact?: string | undefined;
	/** Longest time that a lease can last, in minutes, renewals included. */
	leaseMaxMinutes: number;
	/** Leases that an account can have at a time, those that wait included. */
	leasesPerAccount: number;
	/** Seconds without a word from an agent after which its boards are offline. */
	agentTimeout: number;
	/** Requests a minute of one agent to one replica. */
	rateLimitPerAgent: number;
	/** Requests a minute with console input of one account to one replica. */
	rateLimitConsoleInput: number;
	/** Hosts in inner networks from which base images may be downloaded. */
	imageHosts: readonly string[];
	/** Least severity that is logged. */
	logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent';
}

type Source = Record<string, string | undefined>;

/** The options that come before a variable. */
const optionNames: Record<string, string> = {
	PORT: '--port',
	HOST: '--host',
	DATABASE_URL: '--database',
};

/**
 * Reads the settings from environment variables, before which come the options; throws one error
 * that names every bad one.
 */
export function settingsFrom(
	source: Source,
	{ demo = false, options = {} }: { demo?: boolean | undefined; options?: Source } = {},
): Settings {
	const layers = [demo ? demoDefaults : {}, source, options];
	const set = layers.flatMap((layer) => Object.entries(layer).filter(isSet));
	const result = environment.safeParse(Object.fromEntries(set), { error: explain });
	if (!result.success) throw new Error(result.error.issues.map(describeIssue(options)).join('\n'));
	const read = result.data;
	const baseUrl = read.BASE_URL ?? `http://${read.HOST}:${read.PORT}`;
	return {
		port: read.PORT,
		host: read.HOST,
		database: read.DATABASE_URL,
		baseUrl,
		webUrl: read.WEB_URL ?? baseUrl,
		trustProxy: read.TRUST_PROXY,
		rateLimitPerKey: read.RATE_LIMIT_PER_KEY,
		rateLimitPerAccount: read.RATE_LIMIT_PER_ACCOUNT,
		rateLimitFailedCredentials: read.RATE_LIMIT_FAILED_CREDENTIALS,
		keysPerAccount: read.KEYS_PER_ACCOUNT,
		signup: read.SIGNUP,
		smtpUrl: read.SMTP_URL,
		mailFrom: read.MAIL_FROM,
		contact: read.CONTACT,
		leaseMaxMinutes: read.LEASE_MAX_MINUTES,
		leasesPerAccount: read.LEASES_PER_ACCOUNT,
		agentTimeout: read.AGENT_TIMEOUT,
		rateLimitPerAgent: read.RATE_LIMIT_PER_AGENT,
		rateLimitConsoleInput: read.RATE_LIMIT_CONSOLE_INPUT,
		imageHosts: read.IMAGE_HOSTS,
		logLevel: read.LOG_LEVEL,
	};
}

// Without the value: DATABASE_URL may hold a password.
function describeIssue(options: Source) {
	return ({ path, message }: z.core.$ZodIssue) => {
		const name = path.join('.');
		return `${(options[name] && optionNames[name]) || name} ${message}`;
	};
}

function isSet([, value]: [string, string | undefined]) {
	return Boolean(value);
}

function wholeNumber(least: number, most: number) {
	return z.pipe(digits, z.coerce.number<string>().check(z.minimum(least), z.maximum(most)));
}

function hostList(text = ''): readonly string[] {
	return text
		.split(',')
		.map((host) => host.trim().toLowerCase())
		.filter(Boolean);
}
