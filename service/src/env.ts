// Every setting of the service: its variable, its default, its rule. Checked once, at start.
import { readFileSync } from 'node:fs';
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
// Checked here, without its value: an error of the driver would show the password in it.
const databaseLocation = z.string().check(
	z.trim(),
	z.minLength(1),
	z.refine(
		(text) => isPostgres(text) || !text.includes('://'),
		'must be a path or a postgres:// address',
	),
	z.refine(
		// Without a host, the database is on this machine.
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
	DATABASE_URL_FILE: z
		.optional(z.string())
		.check(
			z.describe(
				'File that contains `DATABASE_URL`, such as a secret of Docker; takes precedence over it',
			),
		),
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
	RATE_LIMIT_PER_ADDRESS: z
		._default(wholeNumber(1, 1e9), 1200)
		.check(
			z.describe('Requests per minute without a valid credential from one address to one replica'),
		),
	MAX_CONNECTIONS: z
		._default(wholeNumber(16, 1e6), 4000)
		.check(
			z.describe(
				'Connections at a time; fewer if the limit of open files does not leave room for them',
			),
		),
	METRICS_TOKEN: z
		.optional(z.string().check(z.trim(), z.minLength(16, 'must have at least 16 characters')))
		.check(z.describe('Bearer token that `/metrics` requires; without one, it is open')),
	KEYS_PER_ACCOUNT: z
		._default(wholeNumber(1, 1e9), 1000)
		.check(z.describe('Live API keys that an account can have')),
	SIGNUP: z
		._default(z.enum(['open', 'invite', 'closed']), 'open')
		.check(
			z.describe(
				'Who can sign up: everyone (`open`), people with an invitation (`invite`) or nobody (`closed`)',
			),
		),
	SESSION_IDLE_MINUTES: z
		._default(wholeNumber(1, 525_600), 4320)
		.check(z.describe('Minutes without use after which a session on the web pages ends')),
	SESSION_MAX_DAYS: z
		._default(wholeNumber(1, 400), 14)
		.check(z.describe('Days after which a session ends, however it is used')),
	ADMIN_TWO_FACTOR: z
		._default(z.enum(['optional', 'required']), 'optional')
		.check(
			z.describe(
				'Whether administrators need two-factor authentication for their sessions (`required`)',
			),
		),
	TWO_FACTOR_KEY: z
		.optional(z.string().check(z.minLength(32, 'must have at least 32 characters')))
		.check(
			z.describe(
				'Encrypts the secrets of authenticator apps; by default a key in the database does',
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
	LEASE_PREPARATION_SECONDS: z
		._default(wholeNumber(1, 86_400), 900)
		.check(z.describe('Seconds that the preparation of a board may take')),
	LEASES_PER_ACCOUNT: z
		._default(wholeNumber(1, 1e9), 10)
		.check(z.describe('Live leases that an account can have, including queued ones')),
	CONSOLE_STREAMS_PER_ACCOUNT: z
		._default(wholeNumber(1, 1e9), 100)
		.check(z.describe('Console streams that an account can read from one replica at a time')),
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
		.pipe(
			z.optional(
				z
					.string()
					.check(
						z.refine(
							(text) => !/[/@]|[^\s,]\s+[^\s,]/.test(text),
							'must be host names, such as images.lan or images.lan:8080, separated by commas',
						),
					),
			),
			z.transform(hostList),
		)
		.check(
			z.describe(
				'Hosts in private networks from which base images may be downloaded: `host` or `host:port`, separated by commas',
			),
		),
	ACTIVITY_DAYS: z
		._default(wholeNumber(1, 36_500), 365)
		.check(z.describe('Days for which the activity log is kept')),
	LOG_LEVEL: z
		._default(z.enum(['debug', 'info', 'warn', 'error', 'silent']), 'info')
		.check(
			z.describe('Minimum severity of log lines; `warn` by default for the demo on a terminal'),
		),
} as const;

/** The defaults of demo mode: an in-memory database and generous limits. */
const demoDefaults = {
	DATABASE_URL: ':memory:',
	RATE_LIMIT_PER_KEY: '60000',
	RATE_LIMIT_PER_ACCOUNT: '60000',
	RATE_LIMIT_FAILED_CREDENTIALS: '300',
	RATE_LIMIT_PER_ADDRESS: '60000',
	LEASES_PER_ACCOUNT: '1000',
	CONSOLE_STREAMS_PER_ACCOUNT: '10000',
};

const environment = z.object(variables);

type Variables = typeof variables;

/** The value of each variable, under its name in camel case; the database may also be `:memory:`. */
export type Settings = {
	[Name in keyof Variables as Name extends 'DATABASE_URL' ? 'database' : CamelCase<Name>]: z.output<
		Variables[Name]
	>;
} & { baseUrl: string; webUrl: string };

type CamelCase<Name extends string> = Name extends `${infer First}_${infer Rest}`
	? `${Lowercase<First>}${Capitalize<CamelCase<Rest>>}`
	: Lowercase<Name>;

type Source = Record<string, string | undefined>;

/** The command-line options that take precedence over a variable. */
const optionNames: Record<string, string> = {
	PORT: '--port',
	HOST: '--host',
	DATABASE_URL: '--database',
};

/**
 * Reads the settings from environment variables. Options take precedence over variables. Throws one
 * error that names every invalid one.
 */
export function settingsFrom(
	source: Source,
	{ demo = false, options = {} }: { demo?: boolean | undefined; options?: Source } = {},
): Settings {
	const layers = [demo ? demoDefaults : {}, source, locationInFile(source), options];
	const set = layers.flatMap((layer) => Object.entries(layer).filter(isSet));
	const result = environment.safeParse(Object.fromEntries(set), { error: explain });
	if (!result.success) throw new Error(result.error.issues.map(describeIssue(options)).join('\n'));
	const values = result.data;
	const baseUrl = values.BASE_URL ?? `http://${values.HOST}:${values.PORT}`;
	return { ...asSettings(values), baseUrl, webUrl: values.WEB_URL ?? baseUrl };
}

function asSettings(values: z.output<typeof environment>) {
	const named = Object.entries(values).map(([name, value]) => [settingName(name), value]);
	// The keys are renamed exactly as the type renames them.
	return Object.fromEntries(named) as Settings;
}

function settingName(name: string) {
	if (name === 'DATABASE_URL') return 'database';
	return name.toLowerCase().replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}

function locationInFile({ DATABASE_URL_FILE: file }: Source): Source {
	if (!file) return {};
	try {
		return { DATABASE_URL: readFileSync(file, 'utf8') };
	} catch (error) {
		throw new Error('DATABASE_URL_FILE names a file that cannot be read', { cause: error });
	}
}

// Without the value: DATABASE_URL may contain a password.
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
