// The scenarios with the command line.
import { sampleFirmwarePath } from 'board-access-agent/samples';
import { runCli } from '../support/cli.ts';
import { busyBoard, type Channel, type World } from './scenarios.ts';

const firmware = sampleFirmwarePath('arduino-uno');

const cli = (world: World, argv: readonly string[], apiKey = world.adminKey) =>
	runCli(argv, { env: { SERVICE_BASE_URL: world.baseUrl, SERVICE_API_KEY: apiKey } });

const output = async (world: World, ...argv: string[]) => {
	const { exitCode, stdout, stderr } = await cli(world, [...argv, '--json']);
	if (exitCode !== 0) throw new Error(`${argv.join(' ')}: ${stderr}`);
	return JSON.parse(stdout);
};

const rejected = async (world: World, words: string, apiKey?: string) => {
	const { exitCode, stderr } = await cli(world, [...words.split(' '), '--json'], apiKey);
	return exitCode === 0 ? 'not rejected' : JSON.parse(stderr).error.code;
};

const createImage = 'admin base-images create --action erase --board-type parity --name Erase';
const newImage = async (world: World) => (await output(world, ...createImage.split(' '))).id;
const imageOf = async (world: World, id: string) => {
	const list = ['admin', 'base-images', 'list', '--board-type', 'parity'];
	const images: { id: string; name: string }[] = await output(world, ...list);
	return images.find((image) => image.id === id);
};

export const commandLine: Channel = {
	'Log in or use a key': async (world) => {
		await output(world, 'whoami');
		return 'logged in';
	},
	'Boards by type and status': async (world) => {
		const filters = ['--type', 'esp32-s3', '--status', 'available'];
		const found: { id: string }[] = await output(world, 'boards', 'list', ...filters);
		return found.map(({ id }) => id).join(' ');
	},
	'Create a key that works': async (world) => {
		const { key } = await output(world, 'keys', 'create');
		return (await world.tryKey(key)) === 'works' ? 'created' : 'useless';
	},
	'List keys': async (world) => {
		const { id } = await output(world, 'keys', 'create');
		const keys: { id: string }[] = await output(world, 'keys', 'list');
		return keys.some((key) => key.id === id) ? 'listed' : 'missing';
	},
	'Use a key after it was revoked': async (world) => {
		const { id, key } = await output(world, 'keys', 'create');
		await output(world, 'keys', 'revoke', id, '--yes');
		return rejected(world, 'boards list', key);
	},
	'Use an expired key': (world) => rejected(world, 'boards list', world.expiredKey),
	'Use an unknown key': (world) => rejected(world, 'boards list', world.unknownKey),
	'Use no credentials': { missing: 'It fails before it sends a request.' },
	'Create a base image': async (world) => ((await newImage(world)) ? 'created' : 'no id'),
	'List base images': async (world) => {
		const id = await newImage(world);
		return (await imageOf(world, id)) ? 'listed' : 'missing';
	},
	'Edit a base image': async (world) => {
		const id = await newImage(world);
		await output(world, 'admin', 'base-images', 'edit', id, '--name', 'Edited');
		return (await imageOf(world, id))?.name === 'Edited' ? 'edited' : 'unchanged';
	},
	'Delete a base image': async (world) => {
		const id = await newImage(world);
		await cli(world, ['admin', 'base-images', 'delete', id, '--yes']);
		return (await imageOf(world, id)) ? 'kept' : 'deleted';
	},
	'Replace the token of an agent': async (world) => {
		const created = await cli(world, ['agents', 'create', '--name', 'cli', '--json']);
		const agent: { id: string; token: string } = JSON.parse(created.stdout);
		const { stdout } = await cli(world, ['agents', 'rotate', agent.id]);
		return stdout.trim() === agent.token ? 'kept' : 'replaced';
	},
	'Lease, flash, expect and release': async (world) => {
		const expected = ['--type', 'arduino-uno', '--expect', 'Hello from Arduino Uno'];
		const { exitCode, stdout, stderr } = await cli(world, ['run', firmware, ...expected]);
		const released = stderr.includes('Released') && stdout.includes('Hello from Arduino Uno');
		return exitCode === 0 && released ? 'released' : stderr;
	},
	'Lease two boards together and release them': async (world) => {
		const boards = ['--board', 'dut=arduino-uno', '--board', 'peer=rp2040-pico'];
		const { stdout } = await cli(world, ['leases', 'create', ...boards]);
		const [dut = '', peer = ''] = stdout.split('\n').map((line) => line.split(' ')[1]);
		await cli(world, ['leases', 'release', dut]);
		return (await output(world, 'leases', 'get', peer)).endReason;
	},
	'Lease a board by a tag that none has': (world) =>
		rejected(world, 'leases create --type arduino-uno --tag rack=none'),
	'Lease a board without enough credits': (world) =>
		rejected(world, `leases create --board ${world.pricedBoard}`, world.freeKey),
	'Create a key on the free tier': (world) => rejected(world, 'keys create', world.freeKey),
	'Create a base image without the admin role': (world) =>
		rejected(world, createImage, world.freeKey),
	'Lease a board when none is available': (world) =>
		rejected(world, `leases create --board ${busyBoard}`),
	'Send too many requests': async (world) => {
		const limited = await world.strict();
		let code = 'not rejected';
		for (let count = 0; count < 3; count += 1) code = await rejected(limited, 'boards list');
		return code;
	},
};
