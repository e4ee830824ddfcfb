// The logins that `board-access login` saves: one file that only its owner can read.
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, unlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as z from 'zod/mini';
import { reasonOf } from '../../ci/file-reason.ts';
import { CliError } from '../failures/cli-error.ts';
import type { Io } from '../terminal/io.ts';

/** The name of a login that is saved without one. */
export const defaultService = 'default';

const login = z.object({ baseUrl: z.string(), apiKey: z.string() });
const savedFile = z.object({ services: z.record(z.string(), login) });

export type Logins = ReadonlyMap<string, z.infer<typeof login>>;

function loginsFile({ env }: Io) {
	const base = env.XDG_CONFIG_HOME || env.APPDATA || (env.HOME && join(env.HOME, '.config'));
	return base ? join(base, 'board-access', 'logins.json') : undefined;
}

export async function readLogins(io: Io): Promise<Logins> {
	const file = loginsFile(io);
	const text = file && (await readIfPresent(file));
	if (!text) return new Map();
	try {
		return new Map(Object.entries(z.parse(savedFile, JSON.parse(text)).services));
	} catch {
		// The message of the parser would quote a key.
		throw unusable(file, 'is not valid', 'Remove the file and log in again.');
	}
}

export async function writeLogins(logins: Logins, io: Io) {
	const file = loginsFile(io);
	if (file === undefined) throw unusable('for logins', 'has no location: HOME is not set');
	const temporary = `${file}.${randomUUID()}`;
	const content = JSON.stringify({ services: Object.fromEntries(logins) }, null, '\t');
	try {
		await mkdir(dirname(file), { recursive: true, mode: 0o700 });
		await writeFile(temporary, `${content}\n`, { flag: 'wx', mode: 0o600, flush: true });
		await rename(temporary, file);
	} catch (error) {
		await unlink(temporary).catch(() => {});
		throw unusable(file, `cannot be written: ${reasonOf(error)}`);
	}
	return file;
}

/** The login that a command uses: the named one, `default`, or the only one. */
export function chooseLogin(logins: Logins, name: string | undefined) {
	const [only] = logins.size === 1 ? logins.values() : [];
	const found = name === undefined ? (logins.get(defaultService) ?? only) : logins.get(name);
	if (found || name === undefined) return found;
	throw new CliError(`There is no saved login for the service "${name}"`, {
		code: 'login_missing',
		hint:
			logins.size > 0
				? `Saved logins: ${[...logins.keys()].join(', ')}.`
				: 'Run "board-access login" with this --service first.',
	});
}

async function readIfPresent(file: string) {
	try {
		return await readFile(file, 'utf8');
	} catch (error) {
		if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
		throw unusable(file, `cannot be read: ${reasonOf(error)}`);
	}
}

function unusable(file: string, what: string, hint?: string) {
	return new CliError(`The file ${file} ${what}`, { code: 'logins_unusable', hint });
}
