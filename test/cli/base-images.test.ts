import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { runCli, useService } from '../support/cli.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const { cli, demo } = useService();
const sample = (name: string) => fileURLToPath(new URL(`./samples/${name}`, import.meta.url));
const filesUrl = ['--files-url', 'https://images.example.com/v1'];
const importing = (name: string, ...rest: string[]) => [
	...['admin', 'base-images', 'import', sample(name)],
	...rest,
];

const fileOf = async (content: unknown) => {
	const file = join(await temporaryDirectory(), 'file.json');
	await writeFile(file, JSON.stringify(content));
	return file;
};

const createBlink = [
	...['admin', 'base-images', 'create', '--action', 'flash', '--board-type', 'esp32-s3'],
	...['--name', 'Blink', '--url', 'https://images.example.com/a.bin'],
];

describe('admin base-images create', () => {
	it('creates a base image with one option for each field', async () => {
		const { exitCode, stdout } = await cli([
			...createBlink,
			...['--flash-offset', '0x10000', '--position', '7', '--disabled', '--json'],
		]);
		expect(exitCode).toBe(0);
		expect(JSON.parse(stdout)).toMatchObject({
			action: 'flash',
			boardType: 'esp32-s3',
			flashOffset: '0x10000',
			position: 7,
			enabled: false,
		});
	});

	it('prints the base image as a table', async () => {
		expect((await cli(createBlink)).stdout).toMatch(/^ID +POSITION .*\n\S+ +\d+ +esp32-s3 +flash/);
	});

	it('rejects an unknown action before it sends a request', async () => {
		const { exitCode, stderr } = await cli('admin base-images create --action write');
		expect(exitCode).toBe(2);
		expect(stderr).toContain('flash, erase');
	});

	it('has exit code 6 for accounts without the admin role', async () => {
		const env = { SERVICE_API_KEY: demo().freeApiKey };
		expect(await cli(createBlink, { env })).toMatchObject({ exitCode: 6, stdout: '' });
	});

	it.each([
		'--url https://images.example.com/a.bin',
		`--sha256 ${'ab'.repeat(32)}`,
		'--flash-offset 0x1000',
	])('rejects an erase with %s', async (field) => {
		const argv = `admin base-images create --action erase --board-type x --name e ${field}`;
		const { exitCode, stderr } = await cli(argv);
		expect(exitCode).toBe(2);
		expect(stderr).toMatch(/--action must be 'flash' for .*url.*sha256/);
	});

	it('warns of a type that no board has', async () => {
		const erase = (type: string) =>
			cli(`admin base-images create --action erase --board-type ${type} --name e --json`);
		const { exitCode, stdout, stderr } = await erase('esp32-s33');
		expect([exitCode, JSON.parse(stdout).boardType]).toEqual([0, 'esp32-s33']);
		expect(stderr).toMatch(
			/^warning: There is no board type "esp32-s33"\. Did you mean esp32-s3\?/,
		);
		expect((await erase('esp32-s3')).stderr).toBe('');
	});

	it('reports every invalid field at once', async () => {
		const { exitCode, stderr } = await cli('admin base-images create --action flash');
		expect(exitCode).toBe(2);
		expect(stderr).toMatch(/boardType is required.*name is required/);
	});
});

describe('admin base-images import', () => {
	it('plans flasher_args.json by offset, offline', async () => {
		const { exitCode, stdout } = await runCli(
			importing('flasher_args.json', ...filesUrl, '--dry-run', '--json'),
		);
		expect(exitCode).toBe(0);
		const url = 'https://images.example.com/v1';
		const entry = { action: 'flash', boardType: 'esp32-s3' };
		expect(JSON.parse(stdout)).toEqual([
			{
				...entry,
				name: 'bootloader',
				url: `${url}/bootloader/bootloader.bin`,
				flashOffset: '0x0',
				position: 0,
			},
			{
				...entry,
				name: 'partition-table',
				url: `${url}/partition_table/partition-table.bin`,
				flashOffset: '0x8000',
				position: 1,
			},
			{ ...entry, name: 'app', url: `${url}/blink.bin`, flashOffset: '0x10000', position: 2 },
		]);
	});

	it('plans every build of a manifest, each with its own positions', async () => {
		const { stdout } = await runCli(
			importing('manifest.json', ...filesUrl, '--dry-run', '--erase-first'),
		);
		const rows = stdout.trimEnd().split('\n').slice(1);
		expect(rows.map((row) => row.split(/ {2,}/).slice(0, 3))).toEqual([
			['0', 'esp32', 'erase'],
			['1', 'esp32', 'flash'],
			['2', 'esp32', 'flash'],
			['3', 'esp32', 'flash'],
			['0', 'esp32-s3', 'erase'],
			['1', 'esp32-s3', 'flash'],
		]);
		expect(stdout).toContain('https://cdn.example.com/s3/merged.bin');
		expect(stdout).toContain('0x1000 ');
	});

	it('imports one chip of a manifest under another board type', async () => {
		const { stdout } = await runCli(
			importing(
				'manifest.json',
				'--chip',
				'esp32-s3',
				'--board-type',
				'lab',
				'--dry-run',
				'--json',
			),
		);
		expect(JSON.parse(stdout)).toMatchObject([
			{ boardType: 'lab', flashOffset: '0x0', description: 'Blink 1.4.0' },
		]);
	});

	it.each(['ESP32-S3', 'esp32s3'])(
		'accepts a chip in the spelling of the manifest: %s',
		async (chip) => {
			const argv = importing('manifest.json', '--chip', chip, '--dry-run', '--json');
			expect(JSON.parse((await runCli(argv)).stdout)).toMatchObject([{ boardType: 'esp32-s3' }]);
		},
	);

	it('needs --files-url for paths', async () => {
		const { exitCode, stderr } = await runCli(importing('flasher_args.json', '--dry-run'));
		expect(exitCode).toBe(2);
		expect(stderr).toContain('--files-url');
	});

	it('fails for an entry that the service rejects, and changes nothing', async () => {
		const file = await fileOf({ flash_files: { '0x0': 'boot.bin', '0xZZ': 'app.bin' } });
		const argv = ['admin', 'base-images', 'import', file, '--board-type', 'rejected'];
		const { exitCode, stderr } = await cli([...argv, ...filesUrl, '--apply']);
		expect(exitCode).toBe(2);
		expect(stderr).toContain('flashOffset');
		const images = await cli('admin base-images list --board-type rejected --json');
		expect(JSON.parse(images.stdout)).toEqual([]);
	});

	const planOf = async (content: unknown) => {
		const argv = ['admin', 'base-images', 'import', await fileOf(content), '--dry-run', '--json'];
		return runCli(argv);
	};
	it('has exit code 2 for a file that it cannot read', async () => {
		for (const unknown of [{}, [], [{ action: 'erase', name: 'erase' }]]) {
			const { exitCode, stderr } = await planOf(unknown);
			expect([exitCode, JSON.parse(stderr).error.code]).toEqual([2, 'flash_file_invalid']);
		}
		expect((await planOf({ builds: [{ chipFamily: 'ESP32', parts: [{}] }] })).stderr).toContain(
			'builds.0.parts.0.path',
		);
		const missing = await runCli(['admin', 'base-images', 'import', 'missing.json', '--dry-run']);
		expect(missing.exitCode).toBe(2);
	});

	describe('compared with the service', () => {
		const importTo = (boardType: string, ...rest: string[]) =>
			cli(importing('flasher_args.json', ...filesUrl, '--board-type', boardType, ...rest));
		const imagesOf = async (boardType: string) => {
			const argv = `admin base-images list --board-type ${boardType} --json`;
			const images: { id: string; name: string; position: number }[] = JSON.parse(
				(await cli(argv)).stdout,
			);
			return images;
		};

		it('shows what would be added, and changes nothing', async () => {
			const { exitCode, stdout, stderr } = await importTo('plan');
			expect(exitCode).toBe(0);
			expect(stdout).toMatch(
				/^CHANGE +POSITION .* ENABLED\nadd +0 +plan +flash +0x0 +bootloader .* yes\n/,
			);
			expect(stderr).toContain('Nothing was changed. Pass --apply to carry out the plan.');
			expect(await imagesOf('plan')).toEqual([]);
		});

		it('carries out the plan with --apply, and changes nothing the second time', async () => {
			expect((await importTo('applied', '--apply')).stderr).toMatch(
				/^Done: \d entr\w+ changed, 0 unchanged.\nwarning: There is no board type "applied"/,
			);
			const images = await imagesOf('applied');
			expect(images.map(({ name }) => name)).toEqual(['bootloader', 'partition-table', 'app']);
			for (const rest of [[], ['--apply']]) {
				const again = await importTo('applied', ...rest);
				expect(again.stderr).toBe('Nothing to change: 3 entries already up to date.\n');
			}
			expect(await imagesOf('applied')).toEqual(images);
		});

		it('changes and deletes base images', async () => {
			await importTo('edited', '--apply', '--erase-first');
			const { stdout } = await importTo('edited', '--apply', '--first-position', '4');
			expect(stdout).toMatch(/^remove +0 +edited +erase/m);
			expect(stdout).toMatch(/^change +1 → 4 +edited +flash +0x0 +bootloader .* yes$/m);
			expect((await imagesOf('edited')).map(({ position }) => position)).toEqual([4, 5, 6]);
		});

		it('prints the plan as JSON', async () => {
			const { stdout } = await importTo('json', '--json');
			expect(JSON.parse(stdout)).toMatchObject([
				{ boardType: 'json', added: [{ name: 'bootloader', flashOffset: '0x0' }, {}, {}] },
			]);
		});

		it('has exit code 6 for accounts without the admin role', async () => {
			const env = { SERVICE_API_KEY: demo().freeApiKey };
			const argv = importing('flasher_args.json', ...filesUrl, '--apply');
			expect(await cli(argv, { env })).toMatchObject({ exitCode: 6, stdout: '' });
		});
	});
});

describe('base images', () => {
	const created = async () => {
		const { stdout } = await cli([...createBlink, '--json']);
		const { id }: { id: string } = JSON.parse(stdout);
		return id;
	};

	it('are listed as enabled or disabled', async () => {
		const { stdout } = await cli('admin base-images list --board-type arduino-uno');
		expect(stdout).toMatch(/^ID +POSITION .* ENABLED\n/);
		expect(stdout).toMatch(/erase .*Erase all flash.* yes\n.* flash .*Ticking clock.* yes\n$/);
	});

	it('lose their checksum with --no-sha256, and not by an empty one', async () => {
		const id = await created();
		const edit = async (option: string, ...values: string[]) =>
			cli(['admin', 'base-images', 'edit', id, option, ...values, '--json']);
		const digits = '0'.repeat(64);
		expect(JSON.parse((await edit('--sha256', digits)).stdout)).toMatchObject([{ sha256: digits }]);
		expect(await edit('--sha256', '')).toMatchObject({ exitCode: 2 });
		expect(JSON.parse((await edit('--no-sha256')).stdout)[0]).not.toHaveProperty('sha256');
	});

	it('are changed field by field', async () => {
		const id = await created();
		const argv = [
			'admin',
			'base-images',
			'edit',
			id,
			'--name',
			'Fade',
			'--position',
			'9',
			'--json',
		];
		expect(JSON.parse((await cli(argv)).stdout)).toMatchObject([
			{ id, name: 'Fade', position: 9, url: 'https://images.example.com/a.bin' },
		]);
		expect(await cli(`admin base-images edit ${id}`)).toMatchObject({ exitCode: 2 });
	});

	it('are disabled and enabled', async () => {
		const ids = [await created(), await created()].join(' ');
		expect((await cli(`admin base-images disable ${ids}`)).stdout.match(/ no$/gm)).toHaveLength(2);
		expect((await cli(`admin base-images enable ${ids}`)).stdout.match(/ yes$/gm)).toHaveLength(2);
	});

	it('are deleted after a confirmation, or with --yes', async () => {
		const id = await created();
		const argv = `admin base-images delete ${id}`;
		expect(await cli(argv)).toMatchObject({
			exitCode: 2,
			stderr: expect.stringContaining('needs --yes'),
		});
		const rejected = await cli(argv, { terminal: 80, stdin: 'n\n' });
		expect(rejected.stderr).toMatch(
			/Delete "Blink" of esp32-s3\? \[y\/N\] [\s\S]*Nothing was changed/,
		);
		expect(await cli(`${argv} --yes`)).toMatchObject({ exitCode: 0 });
		expect(await cli(`${argv} --yes`)).toMatchObject({ exitCode: 3 });
	});
});
