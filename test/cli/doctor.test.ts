import { describe, expect, it } from 'vitest';
import { checkRuntime, Findings } from '../../src/cli/doctor.ts';
import { useService, type World } from '../support/cli.ts';

const { cli, demo } = useService();

interface Finding {
	check: string;
	state: string;
	message: string;
	hint?: string;
}

const examine = async (world: World = {}, ...rest: string[]) => {
	const { exitCode, stdout, stderr } = await cli(['doctor', '--json', ...rest], world);
	expect(stdout + stderr).not.toMatch(/key_[0-9a-f]{48}/);
	const findings: Finding[] = JSON.parse(stdout);
	const find = (check: string) => findings.filter((finding) => finding.check === check).at(-1);
	return { exitCode, findings, find };
};

const env = (SERVICE_API_KEY: string | undefined) => ({ env: { SERVICE_API_KEY } });
const address = (SERVICE_BASE_URL: string) => ({ env: { SERVICE_BASE_URL } });

describe('doctor', () => {
	it('reports no error in a working setup, and names the credential in use', async () => {
		const { exitCode, findings, find } = await examine();
		expect(exitCode).toBe(0);
		expect(findings.filter(({ state }) => state === 'error')).toEqual([]);
		expect(find('credential')?.message).toContain('SERVICE_API_KEY');
		expect(find('role')?.message).toBe('Admin');
	});

	it('reports a version of Node that is too old', () => {
		const findings = new Findings();
		checkRuntime(findings, '20.19.5');
		checkRuntime(findings, '22.0.0');
		const message = expect.stringContaining('needs Node.js 22 or later');
		expect(findings.all).toMatchObject([{ state: 'error', message }, { state: 'ok' }]);
	});

	it('reports a missing key', async () => {
		const { exitCode, find } = await examine(env(undefined));
		expect(exitCode).toBe(4);
		expect(find('credential')).toMatchObject({ state: 'error', message: 'No API key' });
		expect(find('service')).toMatchObject({ state: 'ok' });
	});

	it('warns about a newline around the key', async () => {
		const { exitCode, findings } = await examine(env(`${demo().apiKey}\n`));
		expect(exitCode).toBe(0);
		expect(findings).toContainEqual(
			expect.objectContaining({ check: 'key form', state: 'warning' }),
		);
	});

	it('reports a newline inside the key', async () => {
		const key = demo().apiKey;
		const { exitCode, find } = await examine(env(`${key.slice(0, 20)}\n${key.slice(20)}`));
		expect(exitCode).toBe(4);
		expect(find('key form')).toMatchObject({
			state: 'error',
			hint: expect.stringContaining('contains white space'),
		});
	});

	it('reports quotes around the key', async () => {
		const { exitCode, find } = await examine(env(`"${demo().apiKey}"`));
		expect(exitCode).toBe(4);
		expect(find('key form')?.hint).toBe('Remove the quotes around it.');
	});

	it('reports the word Bearer before the key', async () => {
		const { exitCode, find } = await examine(env(`Bearer ${demo().apiKey}`));
		expect(exitCode).toBe(4);
		expect(find('key form')?.hint).toBe('Remove Bearer.');
	});

	it('reports a key that is too short', async () => {
		const { exitCode, find } = await examine(env(demo().apiKey.slice(0, 40)));
		expect(exitCode).toBe(4);
		expect(find('key form')?.message).toMatch(/: it has 40 characters, too few$/);
	});

	it('reports the ID of a key in place of the key', async () => {
		const { exitCode, find } = await examine(env('key_0123456789abcdef01234567'));
		expect(exitCode).toBe(4);
		expect(find('key form')?.message).toContain('is the id of a key');
	});

	it('reports an invalid address, a missing one, and one that ends in /v1', async () => {
		for (const wrong of ['boards.example.com', '', 'http://localhost/v1/']) {
			const { exitCode, find } = await examine(address(wrong));
			expect(exitCode).toBe(2);
			expect(find('address')?.state).toBe('error');
		}
	});

	it('reports an address where another server responds', async () => {
		const page = async () => new Response('<!doctype html>');
		const other = async () => Response.json({ hello: 'world' });
		for (const fetch of [page, other]) {
			const { exitCode, find } = await examine({ fetch });
			expect(exitCode).toBe(1);
			expect(find('service')?.message).toMatch(/a web page|not a list/);
		}
	});

	it('reports a wrong path of the address without advising to run the doctor', async () => {
		const { exitCode, find } = await examine(address('http://localhost/boards/'));
		expect(exitCode).toBe(3);
		expect(find('address')?.message).toBe('http://localhost/boards from SERVICE_BASE_URL');
		expect(find('service')).toMatchObject({
			state: 'error',
			hint: 'Check the path of the address in SERVICE_BASE_URL or --base-url.',
		});
	});

	it('reports that the service does not respond without advising to run the doctor', async () => {
		const fetch = async () => {
			throw Object.assign(new TypeError('fetch failed'), { code: 'ECONNREFUSED' });
		};
		const { exitCode, find } = await examine({ fetch });
		expect(exitCode).toBe(8);
		expect(find('service')).toMatchObject({
			message: expect.stringContaining('Nothing is listening'),
			hint: 'Check that the service is running, and check the address and the proxy.',
		});
	});

	it('reports a port that fetch blocks', async () => {
		const { exitCode, find } = await examine({ ...address('http://127.0.0.1:6667'), fetch });
		expect(exitCode).toBe(8);
		expect(find('service')?.hint).toContain('another port');
	});

	it('reports a host name that does not resolve', async () => {
		const fetch = async () => {
			throw Object.assign(new TypeError('fetch failed'), { code: 'ENOTFOUND' });
		};
		const { exitCode, find } = await examine({ fetch });
		expect(exitCode).toBe(8);
		expect(find('service')?.message).toContain('The host name is not known');
	});

	it('reports a TLS connection that fails, and what to do about it', async () => {
		const fetch = async () => {
			throw Object.assign(new TypeError('fetch failed'), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
		};
		const { exitCode, find } = await examine({ ...address('https://boards.example.com'), fetch });
		expect(exitCode).toBe(8);
		expect(find('service')).toMatchObject({
			message: expect.stringContaining('No secure connection'),
			hint: expect.stringContaining('NODE_EXTRA_CA_CERTS'),
		});
	});

	it('reports http where https is required', async () => {
		const { exitCode, find } = await examine(address('http://boards.example.com'));
		expect(exitCode).toBe(2);
		expect(find('address')?.message).toContain('plain http');
	});

	it('warns about proxy variables that Node ignores, without printing their values', async () => {
		const HTTPS_PROXY = 'http://user:password@proxy.example.com';
		const { find, findings } = await examine({ env: { HTTPS_PROXY } });
		expect(find('proxy')).toMatchObject({
			state: 'warning',
			hint: expect.stringContaining('NODE_USE_ENV_PROXY=1'),
		});
		expect(JSON.stringify(findings)).not.toContain('password');
		const used = await examine({ env: { HTTPS_PROXY, NODE_USE_ENV_PROXY: '1' } });
		expect(used.find('proxy')?.state).toBe('ok');
	});

	it('reports a revoked key', async () => {
		const created = JSON.parse((await cli('keys create --json')).stdout);
		await cli(`keys revoke ${created.id} --yes`);
		const { exitCode, find } = await examine(env(created.key));
		expect(exitCode).toBe(4);
		expect(find('service')).toMatchObject({
			state: 'error',
			message: expect.stringMatching(/revoked/i),
		});
	});

	it('reports the role and the tier, also with a key that may only use boards', async () => {
		const { key } = JSON.parse((await cli('keys create --json --scope boards')).stdout);
		const { exitCode, find } = await examine(env(key));
		expect(exitCode).toBe(0);
		expect(find('role')).toMatchObject({ state: 'ok', message: 'Admin' });
		expect(find('tier')).toMatchObject({ state: 'ok', message: 'Paid' });
	});

	it('warns about an account on the free tier', async () => {
		const { exitCode, find } = await examine(env(demo().freeApiKey));
		expect(exitCode).toBe(0);
		expect(find('tier')).toMatchObject({
			state: 'warning',
			message: expect.stringMatching(/^Free/),
		});
		expect(find('role')?.message).toBe('Not an admin');
	});

	it('does not guess the role and the tier if the service does not report them', async () => {
		const fetch = async () => Response.json({ data: [] });
		const { find } = await examine({ fetch });
		expect(find('role')?.state).toBe('unknown');
		expect(find('tier')?.state).toBe('unknown');
	});

	it.each([
		[-600_000, 'ahead of'],
		[600_000, 'behind'],
	])('warns about a clock that is off by %i ms', async (difference, word) => {
		const date = new Date(Date.now() + difference).toUTCString();
		const fetch = async () => Response.json({ data: [] }, { headers: { date } });
		const { find } = await examine({ fetch });
		expect(find('clock')).toMatchObject({
			state: 'warning',
			message: expect.stringContaining(word),
		});
	});

	it('stops when it is interrupted', async () => {
		const interruption = new AbortController();
		const fetch = () => {
			interruption.abort();
			return new Promise<Response>(() => {});
		};
		const { signal } = interruption;
		expect(await cli('doctor', { fetch, signal })).toMatchObject({
			exitCode: 130,
			stdout: '',
		});
	});

	it('prints one line per check', async () => {
		const { stdout } = await cli('doctor');
		expect(stdout).toMatch(/^ok +runtime +board-access \d/);
		expect(stdout).toMatch(/\nok +service +Responds and accepts the key\n/);
	});
});
