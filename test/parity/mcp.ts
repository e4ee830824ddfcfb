// The scenarios with the tools for coding agents, by the address /mcp.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { sampleFirmware } from 'board-access-agent/samples';
import { busyBoard, type Channel, type World } from './scenarios.ts';

const connect = async ({ baseUrl }: World, key: string) => {
	const client = new Client({ name: 'parity', version: '1.0.0' });
	const requestInit = key === '' ? {} : { headers: { authorization: `Bearer ${key}` } };
	const transport = new StreamableHTTPClientTransport(new URL('/mcp', baseUrl), { requestInit });
	await client.connect(transport);
	return client;
};

/** Calls a tool in a session of its own. */
const call = async (world: World, name: string, given = {}, key = world.adminKey) => {
	const client = await connect(world, key);
	const result = await client.callTool({ name, arguments: given }).finally(() => client.close());
	const [words] = result.content;
	if (result.isError) throw new Error(words?.type === 'text' ? words.text : name);
	return Object(result.structuredContent);
};

/** The code is at the end of the words of a tool, or in the response to a request with a wrong key. */
const rejected = async (world: World, name: string, given = {}, key?: string) => {
	try {
		await call(world, name, given, key);
		return 'not rejected';
	} catch (error) {
		const words = String(error);
		return /(?:^Code: |"code":")(\w+)/m.exec(words)?.[1] ?? words;
	}
};

/** The tools have no such thing. */
const api = async (world: World, path: string, method = 'GET') => {
	const headers = { authorization: `Bearer ${world.adminKey}` };
	const response = await world.fetch(`http://localhost/v1${path}`, { method, headers });
	return response.status === 204 ? undefined : await response.json();
};

const endReason = async (world: World, leaseId: string) =>
	(await api(world, `/leases/${leaseId}`)).end_reason;

const noKeys = { missing: 'No tool creates keys: people decide what a coding agent may use.' };
const noAdmin = { missing: 'Coding agents use boards and do not administer the service.' };

export const mcp: Channel = {
	'Log in or use a key': async (world) => {
		await call(world, 'list_boards');
		return 'logged in';
	},
	'Boards by type and status': async (world) => {
		const { boards } = await call(world, 'list_boards', { type: 'esp32-s3' });
		const available = boards.filter(({ status }: { status: string }) =>
			status.startsWith('available'),
		);
		return available.map(({ id }: { id: string }) => id).join(' ');
	},
	'Create a key that works': noKeys,
	'List keys': noKeys,
	'Use a key after it was revoked': async (world) => {
		const { id, key } = await api(world, '/auth/keys', 'POST');
		await api(world, `/auth/keys/${id}`, 'DELETE');
		return rejected(world, 'list_boards', {}, key);
	},
	'Use an expired key': (world) => rejected(world, 'list_boards', {}, world.expiredKey),
	'Use an unknown key': (world) => rejected(world, 'list_boards', {}, world.unknownKey),
	'Use no credentials': (world) => rejected(world, 'list_boards', {}, ''),
	'Create a base image': noAdmin,
	'List base images': noAdmin,
	'Edit a base image': noAdmin,
	'Delete a base image': noAdmin,
	'Replace the token of an agent': noAdmin,
	'Lease, flash, expect and release': async (world) => {
		const wanted = { boards: ['arduino-uno'], wait_seconds: 20 };
		const [{ lease_id }] = (await call(world, 'lease_board', wanted)).leases;
		const firmware = Buffer.from(await sampleFirmware('arduino-uno')).toString('base64');
		const { cursor } = await call(world, 'flash', { lease_id, firmware });
		const read = { lease_id, cursor, until: 'Hello from Arduino Uno', timeout_ms: 20_000 };
		const { completion_reason } = await call(world, 'console_read', read);
		await call(world, 'release', { lease_id });
		return completion_reason === 'matched' ? endReason(world, lease_id) : completion_reason;
	},
	'Lease two boards together and release them': async (world) => {
		const wanted = { boards: ['dut=arduino-uno', 'peer=rp2040-pico'], wait_seconds: 20 };
		const [dut, peer] = (await call(world, 'lease_board', wanted)).leases;
		await call(world, 'release', { lease_id: dut.lease_id });
		return endReason(world, peer.lease_id);
	},
	'Lease a board by a tag that none has': (world) =>
		rejected(world, 'lease_board', { boards: ['arduino-uno:rack=none'] }),
	'Lease a board without enough credits': (world) =>
		rejected(world, 'lease_board', { boards: [world.pricedBoard] }, world.freeKey),
	'Create a key on the free tier': noKeys,
	'Create a base image without the admin role': noAdmin,
	'Lease a board when none is available': (world) =>
		rejected(world, 'lease_board', { boards: [busyBoard] }),
	'Send too many requests': async (world) => {
		const limited = await world.strict();
		let code = 'not rejected';
		for (let count = 0; count < 3; count += 1) code = await rejected(limited, 'list_boards');
		return code;
	},
};
