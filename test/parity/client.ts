// The scenarios with the client.

import { BoardAccess, isBoardAccessError } from 'board-access';
import { sampleFirmware } from 'board-access-agent/samples';
import { busyBoard, type Channel, type World } from './scenarios.ts';

const connect = ({ baseUrl, adminKey }: World, apiKey = adminKey) =>
	new BoardAccess({ baseUrl, apiKey, maxRetries: 0 });

const rejected = async (work: () => PromiseLike<unknown>) => {
	try {
		await work();
		return 'not rejected';
	} catch (error) {
		if (isBoardAccessError(error)) return error.code;
		throw error;
	}
};

const image = { action: 'erase', boardType: 'parity', name: 'Erase' } as const;

export const client: Channel = {
	'Log in or use a key': async (world) => {
		await connect(world).boards.list();
		return 'logged in';
	},
	'Boards by type and status': async (world) => {
		const found = await connect(world).boards.list({ boardType: 'esp32-s3', status: 'available' });
		return found.map(({ id }) => id).join(' ');
	},
	'Create a key that works': async (world) => {
		const { key } = await connect(world).keys.create({ label: 'client' });
		return (await world.tryKey(key)) === 'works' ? 'created' : 'useless';
	},
	'List keys': async (world) => {
		const { id } = await connect(world).keys.create({ label: 'client' });
		const keys = await connect(world).keys.list();
		return keys.some((key) => key.id === id) ? 'listed' : 'missing';
	},
	'Use a key after it was revoked': async (world) => {
		const { id, key } = await connect(world).keys.create();
		await connect(world).keys.revoke(id);
		return rejected(() => connect(world, key).boards.list());
	},
	'Use an expired key': (world) => rejected(() => connect(world, world.expiredKey).boards.list()),
	'Use an unknown key': (world) => rejected(() => connect(world, world.unknownKey).boards.list()),
	'Use no credentials': { missing: 'It fails before it sends a request.' },
	'Create a base image': async (world) => {
		const { id } = await connect(world).admin.baseImages.create(image);
		return id ? 'created' : 'no id';
	},
	'List base images': async (world) => {
		const { id } = await connect(world).admin.baseImages.create(image);
		const images = await connect(world).admin.baseImages.list({ boardType: 'parity' });
		return images.some((each) => each.id === id) ? 'listed' : 'missing';
	},
	'Edit a base image': async (world) => {
		const { baseImages } = connect(world).admin;
		const { id } = await baseImages.create(image);
		await baseImages.update(id, { name: 'Edited' });
		return (await baseImages.get(id)).name === 'Edited' ? 'edited' : 'unchanged';
	},
	'Delete a base image': async (world) => {
		const { baseImages } = connect(world).admin;
		const { id } = await baseImages.create(image);
		await baseImages.delete(id);
		const found = await rejected(() => baseImages.get(id));
		return found === 'base_image_not_found' ? 'deleted' : 'kept';
	},
	'Replace the token of an agent': async (world) => {
		const { agents } = connect(world).admin;
		const created = await agents.create({ name: 'client' });
		const { token } = await agents.rotateToken(created.id);
		return token === created.token ? 'kept' : 'replaced';
	},
	'Lease, flash, expect and release': async (world) => {
		const lease = await connect(world).leases.create({ boardType: 'arduino-uno' });
		try {
			await lease.flash(await sampleFirmware('arduino-uno'));
			await lease.console.expect('Hello from Arduino Uno');
		} finally {
			await lease.release();
		}
		return lease.endReason ?? 'not ended';
	},
	'Lease two boards together and release them': async (world) => {
		const boards = { dut: { boardType: 'arduino-uno' }, peer: { boardType: 'rp2040-pico' } };
		const bench = await connect(world).leases.createGroup(boards);
		await bench.dut.release();
		return (await bench.peer.ended).endReason ?? 'not ended';
	},
	'Lease a board by a tag that none has': (world) =>
		rejected(() =>
			connect(world).leases.create({ boardType: 'arduino-uno', tags: { rack: 'none' } }),
		),
	'Lease a board without enough credits': (world) =>
		rejected(() => connect(world, world.freeKey).leases.create({ boardId: world.pricedBoard })),
	'Create a key on the free tier': (world) =>
		rejected(() => connect(world, world.freeKey).keys.create()),
	'Create a base image without the admin role': (world) =>
		rejected(() => connect(world, world.freeKey).admin.baseImages.create(image)),
	'Lease a board when none is available': (world) =>
		rejected(() => connect(world).leases.create({ boardId: busyBoard })),
	'Send too many requests': async (world) => {
		const limited = connect(await world.strict());
		return rejected(async () => {
			for (let count = 0; count < 3; count += 1) await limited.boards.list();
		});
	},
};
