import { mkdir, writeFile } from 'node:fs/promises';
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

	it('rejects an unknown field of a list', async () => {
		const file = join(await temporaryDirectory(), 'list.json');
		const entry = { action: 'flash', boardType: 'esp32', name: 'app', flashOfset: '0x10000' };
		await writeFile(file, JSON.stringify([entry]));
		const argv = ['admin', 'base-images', 'import', file, '--dry-run'];
		expect(await runCli(argv)).toMatchObject({
			exitCode: 2,
			stderr: expect.stringContaining('entry 1: unknown field flashOfset'),
		});
	});

	describe('of a file with a problem', () => {
		const importInvalid = async (...rest: string[]) => {
			const file = join(await temporaryDirectory(), 'list.json');
			const url = 'https://x.test/a';
			const entry = { action: 'flash', boardType: 'esp32', name: 'a', url, flashOffset: '0x1001' };
			await writeFile(file, JSON.stringify([entry, { ...entry, boardType: 'esp8266' }]));
			const fetch = () => Promise.reject(new Error('It must not be called'));
			return cli(['admin', 'base-images', 'import', file, ...rest], { fetch });
		};

		it('sends no request, and fails in a dry run too', async () => {
			for (const rest of [[], ['--dry-run']]) {
				const { exitCode, stdout, stderr } = await importInvalid(...rest);
				expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
				expect(stderr).toMatch(/: 2 problems\n {2}alignment: a: .*\n {2}alignment: .*--force/s);
			}
		});

		it('reports an invalid address too', async () => {
			const file = join(await temporaryDirectory(), 'list.json');
			const entry = { action: 'flash', boardType: 'esp32', name: 'a', url: 'ftp://x.test/a' };
			await writeFile(file, JSON.stringify([entry]));
			const argv = ['admin', 'base-images', 'import', file];
			expect((await runCli(argv)).stderr).toContain('address: a: ftp://x.test/a is not an http');
		});

		it('prints warnings with --force', async () => {
			const { exitCode, stdout, stderr } = await importInvalid('--force', '--dry-run');
			expect({ exitCode, warnings: stderr.match(/^warning: /gm)?.length }).toEqual({
				exitCode: 0,
				warnings: 2,
			});
			expect(stdout).toContain('0x1001');
		});

		it('checks only the chosen chip', async () => {
			const { stderr } = await importInvalid('--chip', 'esp8266');
			expect(stderr).toContain(': 1 problem\n');
		});
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

describe('admin base-images lint', () => {
	const lint = async (content: unknown, images: Record<string, number> = {}) => {
		const directory = await temporaryDirectory();
		const file = join(directory, 'file.json');
		await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
		for (const [name, size] of Object.entries(images)) {
			await mkdir(join(directory, name, '..'), { recursive: true });
			await writeFile(join(directory, name), Buffer.alloc(size));
		}
		const result = await runCli(['admin', 'base-images', 'lint', file, '--json']);
		const problems: { rule: string }[] = result.stdout ? JSON.parse(result.stdout) : [];
		return { ...result, rules: problems.map(({ rule }) => rule) };
	};
	const image = { action: 'flash', board_type: 'esp32-s3', name: 'app', url: 'https://x.test/a' };
	const flash = (offset: string, file: string, chip = 'esp32') => ({
		flash_files: { [offset]: file },
		flash_settings: { flash_size: '2MB' },
		extra_esptool_args: { chip },
	});

	it('finds no problem in valid files', async () => {
		for (const name of ['flasher_args.json', 'manifest.json']) {
			const argv = ['admin', 'base-images', 'lint', sample(name)];
			expect(await runCli(argv)).toMatchObject({ exitCode: 0, stdout: '' });
		}
	});

	it('finds images that overlap, by the sizes of the files beside the list', async () => {
		const file = { flash_files: { '0x10000': 'a.bin', '0x20000': 'b.bin' } };
		expect((await lint(file, { 'a.bin': 0x10001 })).rules).toEqual(['overlap']);
		expect((await lint(file, { 'a.bin': 0x10000 })).rules).toEqual([]);
	});

	it('says how many sizes are unknown, and which rules need them', async () => {
		const file = { flash_files: { '0x10000': 'a.bin', '0x20000': 'b.bin' } };
		expect((await lint(file, { 'a.bin': 1 })).stderr).toMatch(
			/^1 of 2 images are not beside .* overlap and flash-size could not be checked for them\.\n$/,
		);
		expect((await lint(file, { 'a.bin': 1, 'b.bin': 1 })).stderr).toBe('');
	});

	it('finds two images at one offset without knowing sizes', async () => {
		const list = [
			{ ...image, flash_offset: '0x10000' },
			{ ...image, flash_offset: '65536' },
		];
		expect((await lint(list)).rules).toEqual(['overlap']);
	});

	it('finds an image that does not start at a sector', async () => {
		expect((await lint(flash('0x10010', 'app.bin'))).rules).toEqual(['alignment']);
	});

	it('finds an image beyond the end of the flash', async () => {
		expect((await lint(flash('0x200000', 'app.bin'))).rules).toEqual(['flash-size']);
	});

	it('finds an erase after a flash, by position', async () => {
		const list = [
			{ action: 'erase', board_type: 'esp32-s3', name: 'erase', position: 2 },
			{ ...image, position: 1 },
		];
		expect((await lint(list)).rules).toEqual(['erase-after-flash']);
	});

	it('finds a position that is used twice within a board type', async () => {
		const list = [
			{ ...image, position: 1 },
			{ ...image, position: 1, flash_offset: '0x10000' },
			{ ...image, position: 1, board_type: 'esp32' },
		];
		expect((await lint(list)).rules).toEqual(['duplicate-position']);
	});

	it.each([
		['esp32', '0x0', ['bootloader-offset']],
		['esp32', '0x1000', []],
		['esp32s3', '0x1000', ['bootloader-offset']],
		['esp32p4', '0x2000', []],
	])('knows where an %s starts its bootloader: %s', async (chip, offset, rules) => {
		expect((await lint(flash(offset, 'bootloader.bin', chip))).rules).toEqual(rules);
	});

	it.each(['32.768', '010', '0x100000000', '0x010000000', '4294967296', '0x', ''])(
		'finds an offset that the service rejects: %j',
		async (flash_offset) => {
			expect((await lint([{ ...image, flash_offset }])).rules).toEqual(['offset']);
		},
	);

	it.each(['0', '4294963200', '0x0', '0X1000', '0x00010000', '0xFFFFF000'])(
		'accepts an offset that the service accepts: %s',
		async (flash_offset) => {
			expect((await lint([{ ...image, flash_offset }])).rules).toEqual([]);
		},
	);

	it.each([
		['', ['address']],
		['ftp://x.test/a', ['address']],
		['http://x.test/a', ['checksum']],
		['HTTPS://x.test/a', []],
		['images/a.bin', []],
		['C:\\images\\a.bin', []],
	])('knows which addresses the service accepts: %s', async (url, rules) => {
		expect((await lint([{ ...image, url }])).rules).toEqual(rules);
	});

	it('checks a disabled base image separately', async () => {
		const unused = { ...image, enabled: false };
		expect((await lint([{ ...unused, flash_offset: '0xZZ' }])).rules).toEqual(['offset']);
		expect((await lint([image, unused])).rules).toEqual([]);
	});

	it('reads what a dry run of an import prints', async () => {
		const argv = importing('flasher_args.json', ...filesUrl, '--dry-run', '--json');
		expect(await lint((await runCli(argv)).stdout)).toMatchObject({ exitCode: 0, rules: [] });
	});

	const issuesOf = async (content: unknown) => {
		const { exitCode, stderr } = await lint(content);
		expect(exitCode).toBe(2);
		return JSON.parse(stderr).error.issues;
	};

	it('rejects an unknown field, in the spelling of the file', async () => {
		expect(await issuesOf([image, { ...image, flash_ofset: '0x10000', Positon: 1 }])).toEqual([
			{ path: 'entry 2', message: 'unknown field flash_ofset, Positon' },
		]);
	});

	it('accepts a complete record of the API', async () => {
		const record = { ...image, id: 'img_1', description: '', flash_offset: '0x0', position: 0 };
		expect(await lint([{ ...record, enabled: true, created_at: '' }])).toMatchObject({ rules: [] });
		expect(await lint([{ ...record, enabled: true, createdAt: '' }])).toMatchObject({ rules: [] });
	});

	it('reports every invalid field of a list, and counts its items from 1', async () => {
		const { name: _, ...nameless } = image;
		expect(await issuesOf([image, nameless, { ...image, name: 1 }, 'x'])).toEqual([
			{ path: 'entry 2', message: 'name is missing' },
			{ path: 'entry 3', message: 'name must be of type string' },
			{ path: 'entry 4', message: 'must be of type object' },
		]);
	});

	it('has exit code 1 for problems and 2 for a file that it cannot read', async () => {
		expect((await lint([{ ...image, flash_offset: 'x' }])).exitCode).toBe(1);
		expect((await lint('{')).exitCode).toBe(2);
		expect((await lint({})).exitCode).toBe(2);
		expect((await lint({ builds: [{ chipFamily: 'ESP32', parts: [{}] }] })).stderr).toContain(
			'builds.0.parts.0.path',
		);
		expect(await runCli(['admin', 'base-images', 'lint', 'missing.json'])).toMatchObject({
			exitCode: 2,
		});
	});
});
