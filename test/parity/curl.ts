// The scenarios with curl.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { sampleFirmwarePath } from 'board-access-agent/samples';
import { busyBoard, type Channel, type World } from './scenarios.ts';

const raw = async (world: World, path: string, ...words: string[]) => {
	const { stdout } = await promisify(execFile)('curl', ['-s', ...words, world.baseUrl + path]);
	return stdout;
};
const withKey = (key: string) => ['-H', `Authorization: Bearer ${key}`];

const curl = async (world: World, path: string, ...words: string[]) =>
	JSON.parse(await raw(world, path, ...withKey(world.adminKey), ...words));

const rejected = async (world: World, path: string, ...words: string[]) =>
	JSON.parse(await raw(world, path, ...words)).error?.code ?? 'not rejected';

const octets = ['-H', 'Content-Type: application/octet-stream', '--data-binary'];
const images = '/v1/admin/base-images';
const agents = '/v1/admin/agents';
const image = ['--json', '{"action":"erase","board_type":"parity","name":"Erase"}'];

const use = async (world: World, lease: string) => {
	while ((await curl(world, `/v1/leases/${lease}?wait=1&status=preparing`)).status !== 'active');
	const { id } = await curl(
		world,
		`/v1/leases/${lease}/files`,
		...octets,
		`@${sampleFirmwarePath('arduino-uno')}`,
	);
	const flash = JSON.stringify({ action: 'flash', file_id: id });
	const action = await curl(world, `/v1/leases/${lease}/actions`, '--json', flash);
	await curl(world, `/v1/leases/${lease}/actions/${action.id}?wait=20`);
	for (let seen = ''; !seen.includes('Hello from Arduino Uno'); ) {
		// The console is a stream without an end, which curl leaves with an error.
		const read = raw(
			world,
			`/v1/leases/${lease}/console`,
			...withKey(world.adminKey),
			...['--max-time', '1'],
		);
		seen = await read.catch(({ stdout }) => stdout);
	}
};

export const curlChannel: Channel = {
	'Log in or use a key': async (world) => {
		await curl(world, '/v1/boards', '--fail');
		return 'logged in';
	},
	'Boards by type and status': async (world) => {
		const { data } = await curl(world, '/v1/boards?board_type=esp32-s3&status=available');
		return data.map(({ id }: { id: string }) => id).join(' ');
	},
	'Create a key that works': async (world) => {
		const { key } = await curl(world, '/v1/auth/keys', '-X', 'POST');
		return (await world.tryKey(key)) === 'works' ? 'created' : 'useless';
	},
	'List keys': async (world) => {
		const { id } = await curl(world, '/v1/auth/keys', '-X', 'POST');
		const { data } = await curl(world, '/v1/auth/keys');
		return data.some((key: { id: string }) => key.id === id) ? 'listed' : 'missing';
	},
	'Use a key after it was revoked': async (world) => {
		const { id, key } = await curl(world, '/v1/auth/keys', '-X', 'POST');
		await curl(world, `/v1/auth/keys/${id}`, '-X', 'DELETE');
		return rejected(world, '/v1/boards', ...withKey(key));
	},
	'Use an expired key': (world) => rejected(world, '/v1/boards', ...withKey(world.expiredKey)),
	'Use an unknown key': (world) => rejected(world, '/v1/boards', ...withKey(world.unknownKey)),
	'Use no credentials': (world) => rejected(world, '/v1/boards'),
	'Create a base image': async (world) =>
		(await curl(world, images, ...image)).id ? 'created' : 'no id',
	'List base images': async (world) => {
		const { id } = await curl(world, images, ...image);
		const { data } = await curl(world, `${images}?board_type=parity`);
		return data.some((each: { id: string }) => each.id === id) ? 'listed' : 'missing';
	},
	'Edit a base image': async (world) => {
		const { id } = await curl(world, images, ...image);
		const edit = ['-X', 'PATCH', '--json', '{"name":"Edited"}'];
		await curl(world, `${images}/${id}`, ...edit);
		const { name } = await curl(world, `${images}/${id}`);
		return name === 'Edited' ? 'edited' : 'unchanged';
	},
	'Delete a base image': async (world) => {
		const { id } = await curl(world, images, ...image);
		await raw(world, `${images}/${id}`, ...withKey(world.adminKey), '-X', 'DELETE');
		const { error } = await curl(world, `${images}/${id}`);
		return error?.code === 'base_image_not_found' ? 'deleted' : 'kept';
	},
	'Replace the token of an agent': async (world) => {
		const created = await curl(world, agents, '--json', '{"name":"curl"}');
		const { token } = await curl(world, `${agents}/${created.id}/token`, '-X', 'POST');
		return token === created.token ? 'kept' : 'replaced';
	},
	'Lease, flash, expect and release': async (world) => {
		const lease = await curl(world, '/v1/leases', '--json', '{"board_type":"arduino-uno"}');
		await use(world, lease.id);
		return (await curl(world, `/v1/leases/${lease.id}`, '-X', 'DELETE')).end_reason;
	},
	'Lease two boards together and release them': async (world) => {
		const boards = { dut: { board_type: 'arduino-uno' }, peer: { board_type: 'rp2040-pico' } };
		const { leases } = await curl(world, '/v1/lease-groups', '--json', JSON.stringify({ boards }));
		await curl(world, `/v1/leases/${leases[0].id}`, '-X', 'DELETE');
		return (await curl(world, `/v1/leases/${leases[1].id}`)).end_reason;
	},
	'Lease a board by a tag that none has': (world) => {
		const wanted = JSON.stringify({ board_type: 'arduino-uno', tags: { rack: 'none' } });
		return rejected(world, '/v1/leases', ...withKey(world.adminKey), '--json', wanted);
	},
	'Lease a board without enough credits': (world) => {
		const wanted = JSON.stringify({ board_id: world.pricedBoard });
		return rejected(world, '/v1/leases', ...withKey(world.freeKey), '--json', wanted);
	},
	'Create a key on the free tier': (world) =>
		rejected(world, '/v1/auth/keys', ...withKey(world.freeKey), '-X', 'POST'),
	'Create a base image without the admin role': (world) =>
		rejected(world, images, ...withKey(world.freeKey), ...image),
	'Lease a board when none is available': (world) => {
		const wanted = JSON.stringify({ board_id: busyBoard });
		return rejected(world, '/v1/leases', ...withKey(world.adminKey), '--json', wanted);
	},
	'Send too many requests': async (world) => {
		const limited = await world.strict();
		const words = withKey(limited.adminKey);
		let code = 'not rejected';
		for (let count = 0; count < 3; count += 1)
			code = await rejected(limited, '/v1/boards', ...words);
		return code;
	},
};
