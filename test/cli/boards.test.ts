import { describe, expect, it } from 'vitest';
import { useService } from '../support/cli.ts';

const { cli } = useService({ agent: true });

describe('boards list', () => {
	it('prints a table with the same columns in a pipe as on a terminal', async () => {
		const piped = await cli('boards list');
		const shown = await cli('boards list', { terminal: 300, env: { NO_COLOR: '1' } });
		expect(piped).toMatchObject({ exitCode: 0, stderr: '' });
		expect(piped.stdout.split('\n')[0]).toMatch(
			/^ID +TYPE +STATUS +AGENT +CREDITS +NAME +TAGS +DESCRIPTION$/,
		);
		expect(shown.stdout).toBe(piped.stdout);
	});

	it.each([60, 80])('never shortens IDs, types and statuses, at %i columns', async (terminal) => {
		const { stdout } = await cli('boards list --no-color', { terminal });
		const lines = stdout.trimEnd().split('\n');
		expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(terminal);
		const boards: Record<string, string>[] = JSON.parse((await cli('boards list --json')).stdout);
		for (const [index, { id, boardType, status }] of boards.entries()) {
			expect(lines[index + 1]?.split(/ +/).slice(0, 3)).toEqual([id, boardType, status]);
		}
	});

	it('shows what a board costs', async () => {
		const data = [
			{ id: 'brd_1', credits_per_minute: 2 },
			{ id: 'brd_2', credits_per_minute: 0 },
		];
		const fetch = async () => Response.json({ data });
		const { stdout } = await cli('boards list', { fetch });
		expect(stdout).toBe('ID     CREDITS\nbrd_1  2/min\nbrd_2\n');
	});

	it('shows the tags of a board', async () => {
		expect((await cli('boards list')).stdout).toContain('arch=xtensa location=rack-1');
	});

	it('omits a column that is empty in every row', async () => {
		const fetch = async () => Response.json({ data: [{ id: 'brd_1', status: 'available' }] });
		expect((await cli('boards list', { fetch })).stdout).toBe('ID     STATUS\nbrd_1  available\n');
	});

	it('uses colors only on a terminal, and respects --no-color and NO_COLOR', async () => {
		const control = String.fromCharCode(27);
		expect((await cli('boards list', { terminal: 80 })).stdout).toContain(control);
		expect((await cli('boards list --no-color', { terminal: 80 })).stdout).not.toContain(control);
		expect(
			(await cli('boards list', { terminal: 80, env: { NO_COLOR: '1' } })).stdout,
		).not.toContain(control);
		expect((await cli('boards list')).stdout).not.toContain(control);
	});

	it('filters by type and status', async () => {
		const { stdout } = await cli('boards list --type esp32-s3 --status available --json');
		const boards: { boardType: string; status: string }[] = JSON.parse(stdout);
		expect(boards.length).toBeGreaterThan(0);
		for (const board of boards) {
			expect(board).toMatchObject({ boardType: 'esp32-s3', status: 'available' });
		}
	});

	it.each(['location=rack-1', 'location:rack-1'])('filters by the tag %s', async (tag) => {
		const argv = ['boards', 'list', '--tag', 'arch=xtensa', '--tag', tag, '--json'];
		const boards: { tags: object }[] = JSON.parse((await cli(argv)).stdout);
		expect(boards.length).toBeGreaterThan(0);
		for (const { tags } of boards) {
			expect(tags).toMatchObject({ arch: 'xtensa', location: 'rack-1' });
		}
	});

	it('explains a tag without a value', async () => {
		const { exitCode, stderr } = await cli('boards list --tag rack-1');
		expect(exitCode).toBe(2);
		expect(stderr).toContain('such as location=rack-1');
	});

	it('says which boards an agent drives, and lists only those with --has-agent', async () => {
		const { stdout } = await cli('boards list');
		expect(stdout).toMatch(/^brd_arduino-uno-01 +arduino-uno +available +yes +arduino-uno-01 /m);
		expect(stdout).toMatch(/^brd_esp32-s3-01 +esp32-s3 +available +no +esp32-s3-01 /m);
		const driven = await cli('boards list --type esp32-s3 --type arduino-uno --has-agent --json');
		const boards: { boardType: string }[] = JSON.parse(driven.stdout);
		expect(boards.map(({ boardType }) => boardType)).toEqual(['arduino-uno', 'arduino-uno']);
		const none = await cli('boards list --type esp32-s3 --status available --has-agent');
		expect(none).toMatchObject({ exitCode: 0, stderr: 'No board matches.\n' });
	});

	it('prints a matrix on one line', async () => {
		const { stdout, stderr } = await cli('boards list --type arduino-uno --matrix');
		expect(stdout.trimEnd()).not.toContain('\n');
		const { include } = JSON.parse(stdout);
		expect(include[0]).toEqual({
			id: 'brd_arduino-uno-01',
			name: 'arduino-uno-01',
			boardType: 'arduino-uno',
		});
		expect(stderr).toBe('');
	});

	it('leaves boards that no agent drives out of the matrix, and says how many', async () => {
		const types = 'boards list --type esp32-s3 --type arduino-uno --matrix';
		const { stdout, stderr } = await cli(types);
		const sizeOf = (text: string) => JSON.parse(text).include.length;
		expect(sizeOf(stdout)).toBe(2);
		expect(stderr).toBe(
			'Left out, because no agent drives them: 3 of 5 boards. --include-undriven includes them.\n',
		);
		const all = await cli(`${types} --include-undriven`);
		expect({ size: sizeOf(all.stdout), stderr: all.stderr }).toEqual({ size: 5, stderr: '' });
		const none = await cli('boards list --type esp32-s3 --matrix');
		expect(none).toMatchObject({ exitCode: 12, stdout: '' });
		expect(none.stderr).toContain('error: No agent drives a board that matches.');
		const allowed = await cli('boards list --type esp32-s3 --matrix --allow-empty');
		expect(allowed).toMatchObject({ exitCode: 0, stdout: '{"include":[]}\n' });
	});

	it('fails when the matrix is empty', async () => {
		const { exitCode, stdout, stderr } = await cli('boards list --type none --matrix');
		expect({ exitCode, stdout }).toEqual({ exitCode: 12, stdout: '' });
		expect(stderr).toContain('--allow-empty');
	});

	it('prints an empty matrix with --allow-empty', async () => {
		const { exitCode, stdout } = await cli('boards list --type none --matrix --allow-empty');
		expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '{"include":[]}\n' });
	});

	it('has exit code 12 with --fail-if-empty, and 3 for a wrong address', async () => {
		const argv = 'boards list --type esp32-s3 --status offline --fail-if-empty';
		const { exitCode, stdout, stderr } = await cli(argv);
		expect({ exitCode, stdout }).toEqual({ exitCode: 12, stdout: '' });
		expect(stderr).toContain('No board of type esp32-s3 is offline.');
		const env = { SERVICE_BASE_URL: 'http://localhost/elsewhere' };
		expect((await cli(argv, { env })).exitCode).toBe(3);
		expect((await cli('boards list --type esp32-s3 --fail-if-empty')).exitCode).toBe(0);
	});

	it.each(['list', 'list --json', 'watch'])(
		'has exit code 3 with %s for a type that no board has',
		async (command) => {
			const { exitCode, stdout, stderr } = await cli(`boards ${command} --type esp32s3`);
			expect({ exitCode, stdout }).toEqual({ exitCode: 3, stdout: '' });
			expect(stderr).toContain('There is no board type');
			expect(stderr).toContain('Did you mean esp32-s3?');
		},
	);

	it('suggests a type that begins like the unknown one, or lists all', async () => {
		const { stderr } = await cli('boards list --type arduino');
		expect(stderr).toBe('error: There is no board type "arduino". Did you mean arduino-uno?\n');
		const other = await cli('boards list --type toaster');
		expect(other.stderr).toMatch(
			/^error: There is no board type "toaster"\. Known types: .*esp32, .*\.\n$/,
		);
	});

	it('accepts an empty list for a type that boards have', async () => {
		const argv = 'boards list --type esp32-s3 --status offline';
		expect(await cli(argv)).toMatchObject({
			exitCode: 0,
			stderr: 'No board of type esp32-s3 is offline.\n',
		});
		expect(await cli(`${argv} --json`)).toMatchObject({ exitCode: 0, stdout: '[]\n', stderr: '' });
	});

	it('lists the boards of every --type', async () => {
		const argv = 'boards list --type esp32-s3 --type esp32 --type esp32 --json';
		const boards: { boardType: string }[] = JSON.parse((await cli(argv)).stdout);
		expect(boards.map(({ boardType }) => boardType)).toEqual([
			...['esp32-s3', 'esp32-s3', 'esp32-s3', 'esp32'],
		]);
	});

	it('lists the known statuses in its help, and accepts others', async () => {
		expect((await cli('boards list --help')).stdout).toMatch(/available.*in_use.*offline/s);
		const fetch = async () => Response.json({ data: [{ id: 'brd_1' }] });
		expect((await cli('boards list --status resting', { fetch })).exitCode).toBe(0);
	});

	it('suggests a status that is similar', async () => {
		const { exitCode, stderr } = await cli('boards list --status avail');
		expect(exitCode).toBe(2);
		expect(stderr).toContain("error: --status 'avail' is invalid. Did you mean available?\n");
	});

	it.each(['brd_1;reboot', '$(reboot)', '-rf', 'a b', ''])(
		'rejects an ID for a matrix that a shell would interpret: %j',
		async (id) => {
			const fetch = async () => Response.json({ data: [{ id }] });
			expect(await cli('boards list --matrix', { fetch })).toMatchObject({
				exitCode: 1,
				stdout: '',
				stderr: expect.stringContaining('not allowed in a shell'),
			});
		},
	);

	it('escapes control and direction characters in a matrix', async () => {
		const fetch = async () =>
			Response.json({ data: [{ id: 'brd_1', name: '\u009b2J\u202Eevil' }] });
		const { stdout } = await cli('boards list --matrix', { fetch });
		expect(stdout).toContain('"\\u009b2J\\u202eevil"');
		expect(JSON.parse(stdout).include[0].name).toBe('\u009b2J\u202Eevil');
	});

	it('prints no control characters in the name of a board', async () => {
		const name = `${String.fromCharCode(27)}[2J\u202Eevil`;
		const fetch = async () => Response.json({ data: [{ id: 'brd_1', name }], next_cursor: null });
		const { stdout } = await cli('boards list --no-color', { fetch, terminal: 80 });
		expect(stdout).toContain(' [2J evil');
	});
});

describe('boards get', () => {
	const board = {
		...{ id: 'brd_1', board_type: 'esp32-s3', status: 'offline', status_reason: 'No agent' },
		...{ tags: { rack: 'b2' }, credits_per_minute: 2, description: '', lease_id: null },
	};
	const paths: string[] = [];
	const fetch: typeof globalThis.fetch = async (input, init) => {
		paths.push(new URL(new Request(input, init).url).pathname);
		return Response.json(board);
	};

	it('prints the fields that have a value', async () => {
		const { exitCode, stdout } = await cli('boards get brd_1', { fetch });
		expect({ exitCode, path: paths.at(-1) }).toEqual({ exitCode: 0, path: '/v1/boards/brd_1' });
		expect(stdout).toBe(
			[
				'ID           brd_1\nType         esp32-s3\nStatus       offline\nReason       No agent\n',
				'Price        2 credits a minute\nTags         rack=b2\n',
			].join(''),
		);
	});

	it('says whether a board keeps earlier firmware, why that matters, and how to change it', async () => {
		const respond = (keeps_firmware: boolean | null) => async () =>
			Response.json({ ...board, keeps_firmware });
		const shown = async (keeps: boolean | null) =>
			(await cli('boards get brd_1', { fetch: respond(keeps) })).stdout;
		expect(await shown(true)).toMatch(
			/^Keeps +earlier firmware: until you flash the board, .*between_leases: erase/m,
		);
		expect(await shown(false)).toMatch(/^Keeps +no earlier firmware: /m);
		expect(await shown(null)).not.toContain('Keeps');
	});

	it('prints the record as JSON', async () => {
		const { stdout } = await cli('boards get brd_1 --json', { fetch });
		expect(JSON.parse(stdout)).toMatchObject({ statusReason: 'No agent', tags: { rack: 'b2' } });
	});
});

describe('boards get', () => {
	it('shows a board of the service', async () => {
		const { exitCode, stdout } = await cli('boards get brd_esp32-s3-01');
		expect(exitCode).toBe(0);
		expect(stdout).toMatch(
			/^ID +brd_esp32-s3-01\nName +esp32-s3-01\nType +esp32-s3\nStatus +available\n/,
		);
		expect(stdout).toMatch(/^Tags +arch=xtensa location=rack-1$/m);
		expect(stdout).toMatch(/^Agent +none: it can be leased, but not flashed$/m);
		expect((await cli('boards get brd_arduino-uno-01')).stdout).toMatch(/^Agent +drives it$/m);
	});

	it('has exit code 3 for a board that does not exist', async () => {
		expect(await cli('boards get brd_none')).toMatchObject({ exitCode: 3, stdout: '' });
	});
});

describe('boards watch', () => {
	it('prints a line for each change until it is interrupted', async () => {
		const interruption = new AbortController();
		const { signal } = interruption;
		const lists = [
			[{ id: 'brd_1' }], // there is a board of the type
			[{ id: 'brd_1', status: 'available', name: 'Shelf 1' }],
			[
				{ id: 'brd_1', status: 'in_use', name: 'Shelf\u001b 1' },
				{ id: 'brd_2', status: 'offline' },
			],
			[{ id: 'brd_2', status: 'offline' }],
		];
		const fetch = async () => {
			const list = lists.shift();
			if (list) return Response.json(list);
			interruption.abort();
			return await new Promise<Response>(() => {});
		};
		const watched = await cli('boards watch --type uno', { fetch, signal });
		expect(watched.exitCode).toBe(130);
		expect(watched.stdout.split('\n')).toEqual([
			'added  brd_1  available  Shelf 1',
			'changed  brd_1  available → in_use  Shelf  1',
			'added  brd_2  offline  ',
			'removed  brd_1  in_use  Shelf  1',
			'',
		]);
	});

	it('prints each change as JSON in a line', async () => {
		const interruption = new AbortController();
		const fetch = async (input: string | URL | Request) => {
			const url = new URL(new Request(input).url);
			expect(url.searchParams.getAll('status')).toEqual(['available']);
			if (!url.searchParams.has('wait')) return Response.json([{ id: 'brd_1' }]);
			interruption.abort();
			return await new Promise<Response>(() => {});
		};
		const { signal } = interruption;
		const { stdout } = await cli('boards watch --status available --json', { fetch, signal });
		expect(JSON.parse(stdout)).toEqual({ type: 'added', board: { id: 'brd_1' } });
	});
});
