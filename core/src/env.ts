// The settings of the service: variable, default and rule of each.
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { type CamelCase, camelCased } from 'board-access-contract';
import * as z from 'zod/mini';
import { isPostgres } from './database/location.ts';
import { explain } from './validation.ts';

export const variables = {
	PORT: number(8787, 'Port to listen on; 0 picks a free one', 0, 65_535),
	HOST: text('Address to listen on', z._default(z.string(), '127.0.0.1')),
	DATABASE_URL: text(
		'Path of an SQLite file, or a `postgres://` address',
		// Checked here, because an error of the driver would show the password.
		z._default(
			z.string().check(
				z.trim(),
				z.minLength(1),
				z.refine(
					(location) => isPostgres(location) || !location.includes('://'),
					'must be a path or a postgres:// address',
				),
				z.refine(
					// Without a host, the database is on this machine.
					(location) =>
						!isPostgres(location) || URL.canParse(location.replace('@/', '@localhost/')),
					'is not a valid address; write # / ? @ : in its password as %23 %2F %3F %40 %3A',
				),
			),
			'board-access.db',
		),
	),
	DATABASE_URL_FILE: text(
		'File that contains `DATABASE_URL`, such as a secret of Docker; takes precedence over it',
		z.optional(z.string()),
	),
	BASE_URL: text(
		'Public address of the API; by default the address that the service listens on',
		webAddress(),
	),
	WEB_URL: text('Public address of the web pages; by default `BASE_URL`', webAddress()),
	REPLICA_URL: text(
		'Address at which the other replicas reach this one, such as `http://{hostname}:8787`: needed for channels with several replicas',
		z.pipe(z.transform(withHostname), webAddress()),
	),
	TRUST_PROXY: text(
		'`true` behind your own proxy: the client address is then the last one in `X-Forwarded-For`',
		z.prefault(oneOf('true', 'false'), 'false'),
	),
	RATE_LIMIT_PER_KEY: number(600, 'Requests per minute with one API key'),
	RATE_LIMIT_PER_ACCOUNT: number(
		1200,
		'Requests per minute with all API keys of an account, and as many to the web pages',
	),
	RATE_LIMIT_FAILED_CREDENTIALS: number(
		30,
		'Invalid keys per minute from one address, and as many logins and sign-ups; ten times as many logins to one account',
	),
	RATE_LIMIT_PER_ADDRESS: number(
		1200,
		'Requests per minute without a valid credential from one address to one replica',
	),
	MAX_CONNECTIONS: number(
		4000,
		'Connections at a time; fewer if the limit of open files does not leave room for them',
		16,
	),
	METRICS_TOKEN: text(
		'Bearer token that `/metrics` requires, at least 16 characters; without one, it is closed',
		words(z.minLength(16, 'must have at least 16 characters')),
	),
	KEYS_PER_ACCOUNT: number(1000, 'Live API keys that an account can have'),
	SIGNUP: text(
		'Who can sign up: everyone (`open`), people with an invitation (`invite`) or nobody (`closed`)',
		z._default(z.enum(['open', 'invite', 'closed']), 'open'),
	),
	SESSION_IDLE_MINUTES: number(
		4320,
		'Minutes without use after which a session on the web pages ends',
	),
	// Browsers keep no cookie for longer than 400 days.
	SESSION_MAX_HOURS: number(336, 'Hours after which a session ends, however it is used', 1, 9600),
	ADMIN_TWO_FACTOR: text(
		'Whether administrators need two-factor authentication for their sessions (`required`)',
		z._default(z.enum(['optional', 'required']), 'optional'),
	),
	TWO_FACTOR_KEY: text(
		'Encrypts the secrets of authenticator apps; by default a key in the database does',
		z.optional(z.string().check(z.minLength(32, 'must have at least 32 characters'))),
	),
	SMTP_URL: text(
		'Mail server with a verified certificate, `smtps://name:password@host`, or `smtp://` with STARTTLS; without one, no mail is sent',
		z.optional(
			matching(
				(url) => /^smtps?:\/\/[^/?#]+\/?$/.test(url) && URL.canParse(url),
				'must be smtps://host, or smtp://host for STARTTLS, without parameters; only a server on this machine may lack TLS',
			),
		),
	),
	MAIL_FROM: text(
		'Sender of mail; by default `board-access@` and the host of `WEB_URL`',
		words(z.maxLength(200)),
	),
	CONTACT: text(
		'Whom users ask for credits or help: an email address, a web address or a name',
		words(z.maxLength(200)),
	),
	LEASE_MAX_MINUTES: number(1440, 'Maximum duration of a lease in minutes, including renewals'),
	LEASE_PREPARATION_SECONDS: number(900, 'Seconds that the preparation of a board may take'),
	LEASES_PER_ACCOUNT: number(10, 'Live leases that an account can have, including queued ones'),
	GROUPS: text(
		'`off`: several boards cannot be leased together. Boards that wait for the others of their group stand still',
		z.prefault(oneOf('on', 'off'), 'on'),
	),
	FIRMWARE_MIB_PER_ACCOUNT: number(
		256,
		'MiB of firmware that the live leases of an account can have stored; equal files count once',
		16,
	),
	CONSOLE_STREAMS_PER_ACCOUNT: number(
		100,
		'Console streams that an account can read from one replica at a time',
	),
	AGENT_TIMEOUT: number(
		30,
		'Seconds that an agent may be silent; after half as long again, it and its boards are offline',
	),
	RATE_LIMIT_PER_AGENT: number(60_000, 'Requests per minute from one agent to one replica'),
	RATE_LIMIT_CONSOLE_INPUT: number(
		3000,
		'Console input requests per minute from one account to one replica',
	),
	IMAGE_HOSTS: text(
		'Hosts in private networks from which base images may be downloaded: `host` or `host:port`, separated by commas',
		z.pipe(
			z.optional(
				matching(
					(hosts) => !/[/@]|[^\s,]\s+[^\s,]/.test(hosts),
					'must be host names, such as images.lan or images.lan:8080, separated by commas',
				),
			),
			z.transform(hostList),
		),
	),
	MCP: text(
		'`off`: coding agents have no address `/mcp`, only `board-access mcp`',
		z.prefault(oneOf('on', 'off'), 'on'),
	),
	ACTIVITY_DAYS: number(365, 'Days for which the activity log is kept'),
	LOG_LEVEL: text(
		'Minimum severity of log lines; `warn` by default for the demo',
		z._default(z.enum(['debug', 'info', 'warn', 'error', 'silent']), 'info'),
	),
} as const;

function text<Schema extends z.ZodMiniType>(description: string, schema: Schema) {
	return schema.check(z.describe(description));
}

function number(standard: number, description: string, min = 1, max = 1e6) {
	const digits = z.string().check(z.regex(/^\d+$/, 'must be a whole number'));
	const value = z.coerce.number<string>().check(z.minimum(min), z.maximum(max));
	return z._default(z.pipe(digits, value), standard).check(z.describe(description));
}

function oneOf(truthy: string, falsy: string) {
	return z.stringbool({ truthy: [truthy], falsy: [falsy], case: 'sensitive' });
}

function words(check: z.core.$ZodCheck<string>) {
	return z.optional(z.string().check(z.trim(), check));
}

function matching(isValid: (text: string) => boolean, message: string) {
	return z.string().check(z.refine(isValid, message));
}

/** Containers have the same settings and another name each. */
function withHostname(url: unknown) {
	return typeof url === 'string' ? url.replace('{hostname}', hostname()) : url;
}

function webAddress() {
	const isValid = (url: string) => /^https?:\/\/[^/]/.test(url) && URL.canParse(url);
	const withoutSlash = matching(isValid, 'must be an http or https address').check(
		z.overwrite((url) => url.replace(/\/+$/, '')),
		z.refine((url) => !url.endsWith('/v1'), 'must not end in /v1: every request adds it'),
	);
	return z.optional(withoutSlash);
}

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

type Variables = typeof variables;

/** The value of each variable, under its name in camel case; the database may also be `:memory:`. */
export type Settings = {
	[Name in keyof Variables as Name extends 'DATABASE_URL'
		? 'database'
		: CamelCase<Lowercase<Name>>]: z.output<Variables[Name]>;
} & { baseUrl: string; webUrl: string };

type Source = Record<string, string | undefined>;

/** The command-line options that take precedence over a variable. */
const optionNames: Record<string, string> = {
	PORT: '--port',
	HOST: '--host',
	DATABASE_URL: '--database',
};

/** Reads the settings from environment variables and options. Throws one error that names all invalid ones. */
export function settingsFrom(
	source: Source,
	{ demo = false, options = {} }: { demo?: boolean | undefined; options?: Source } = {},
): Settings {
	const layers = [demo ? demoDefaults : {}, source, locationInFile(source), options];
	const set = layers.flatMap((layer) => Object.entries(layer).filter(([, value]) => value));
	const result = z.object(variables).safeParse(Object.fromEntries(set), { error: explain });
	if (!result.success) throw new Error(result.error.issues.map(describeIssue(options)).join('\n'));
	const values = result.data;
	const baseUrl = values.BASE_URL ?? `http://${values.HOST}:${values.PORT}`;
	return { ...asSettings(values), baseUrl, webUrl: values.WEB_URL ?? baseUrl };
}

function asSettings({ DATABASE_URL: database, ...values }: { DATABASE_URL: string }) {
	const named = Object.entries(values).map(([name, value]) => [name.toLowerCase(), value]);
	// The keys are renamed as the type does.
	return { database, ...camelCased(Object.fromEntries(named)) } as Settings;
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

function hostList(text = ''): readonly string[] {
	return text
		.split(',')
		.map((host) => host.trim().toLowerCase())
		.filter(Boolean);
}
