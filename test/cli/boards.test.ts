import { describe, expect, it } from 'vitest';
import { useService } from '../support/cli.ts';

const { cli } = useService();

describe('boards list', () => {
	it('prints a table with the same columns in a pipe as on a terminal', async () => {
		const piped = await cli('boards list');
		const shown = await cli('boards list', { terminal: 200, env: { NO_COLOR: '1' } });
		expect(piped).toMatchObject({ exitCode: 0, stderr: '' });
		expect(piped.stdout.split('\n')[0]).toMatch(/^ID +NAME +TYPE +STATUS +DESCRIPTION$/);
		expect(shown.stdout).toBe(piped.stdout);
	});

	it('fits a narrow terminal and leaves the ids whole', async () => {
		const { stdout } = await cli('boards list --no-color', { terminal: 60 });
		const lines = stdout.trimEnd().split('\n');
		expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(60);
		expect(stdout).toContain('brd_nucleo-f446re-02 ');
		expect(stdout).toContain('…');
	});

	it('uses colours on a terminal only, and not when told not to', async () => {
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

	it('prints a matrix on one line', async () => {
		const { stdout } = await cli('boards list --type esp32-s3 --matrix');
		expect(stdout.trimEnd()).not.toContain('\n');
		const { include } = JSON.parse(stdout);
		expect(include[0]).toEqual({
			id: 'brd_esp32-s3-01',
			name: 'esp32-s3-01',
			boardType: 'esp32-s3',
		});
	});

	it('fails when the matrix is empty', async () => {
		const { exitCode, stdout, stderr } = await cli('boards list --type none --matrix');
		expect({ exitCode, stdout }).toEqual({ exitCode: 3, stdout: '' });
		expect(stderr).toContain('--allow-empty');
	});

	it('prints an empty matrix when that is allowed', async () => {
		const { exitCode, stdout } = await cli('boards list --type none --matrix --allow-empty');
		expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '{"include":[]}\n' });
	});

	it('says that there is none on standard error', async () => {
		const { exitCode, stdout, stderr } = await cli('boards list --type none');
		expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '' });
		expect(stderr).toBe('No board matches.\n');
	});

	it('lets no name of a board play tricks on the terminal', async () => {
		const name = `${String.fromCharCode(27)}[2J\u202Eevil`;
		const fetch = async () => Response.json({ data: [{ id: 'brd_1', name }], next_cursor: null });
		const { stdout } = await cli('boards list --no-color', { fetch, terminal: 80 });
		expect(stdout).toContain(' [2J evil');
	});
});
