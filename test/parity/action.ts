// The scenarios with the GitHub Action.
import { sampleFirmwarePath } from 'board-access-agent/samples';
import { runStep } from '../../src/action/run.ts';
import { Runner } from '../../src/action/runner.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { prepareStep } from '../support/workflow-step.ts';
import { busyBoard, type Channel, type World } from './scenarios.ts';

const step = async (world: World, inputs: Record<string, string>, apiKey = world.adminKey) => {
	const prepared = await prepareStep(
		{ 'api-key': apiKey, 'base-url': world.baseUrl, ...inputs },
		{ RUNNER_TEMP: await temporaryDirectory() },
	);
	const lines: string[] = [];
	const exitCode = await runStep(new Runner(prepared.env, (text) => lines.push(text)));
	return { exitCode, outputs: await prepared.outputs(), log: lines.join('') };
};

const outputs = async (world: World, inputs: Record<string, string>) => {
	const { exitCode, outputs, log } = await step(world, inputs);
	if (exitCode !== 0) throw new Error(log);
	return outputs;
};

const rejected = async (world: World, inputs: Record<string, string>, apiKey?: string) => {
	const { exitCode, log } = await step(world, inputs, apiKey);
	if (exitCode === 0) return 'not rejected';
	return /::error::.*\((\w+), request ID/.exec(log)?.[1] ?? log;
};

const run = { command: 'run', firmware: sampleFirmwarePath('arduino-uno'), wait: '0s' };
const image = {
	command: 'create-base-image',
	'image-action': 'erase',
	'board-type': 'parity',
	name: 'Erase',
};
const noCommand = { missing: 'It has no such command, because CI jobs do not need it.' };

export const action: Channel = {
	'Log in or use a key': async (world) => {
		await outputs(world, { command: 'list-boards' });
		return 'logged in';
	},
	'Boards by type and status': async (world) => {
		const wanted = { 'board-type': 'esp32-s3', status: 'available', 'include-undriven': 'true' };
		const found = await outputs(world, wanted);
		const list: { id: string }[] = JSON.parse(found.boards ?? '');
		return list.map(({ id }) => id).join(' ');
	},
	'Create a key that works': async (world) => {
		const { key = '' } = await outputs(world, { command: 'create-key' });
		return (await world.tryKey(key)) === 'works' ? 'created' : 'useless';
	},
	'List keys': noCommand,
	'Use a key after it was revoked': async (world) => {
		const { key, 'key-id': id = '' } = await outputs(world, { command: 'create-key' });
		await outputs(world, { command: 'revoke-key', 'key-id': id });
		return rejected(world, {}, key);
	},
	'Use an expired key': (world) => rejected(world, {}, world.expiredKey),
	'Use an unknown key': (world) => rejected(world, {}, world.unknownKey),
	'Use no credentials': { missing: 'It fails before it sends a request.' },
	'Create a base image': async (world) =>
		(await outputs(world, image))['base-image-id'] ? 'created' : 'no id',
	'List base images': noCommand,
	'Edit a base image': noCommand,
	'Delete a base image': noCommand,
	'Replace the token of an agent': noCommand,
	'Lease, flash, expect and release': async (world) => {
		const inputs = { ...run, 'board-type': 'arduino-uno', expect: 'Hello from Arduino Uno' };
		const { outputs, log } = await step(world, inputs);
		return outputs.result === 'passed' && log.includes('[released]') ? 'released' : log;
	},
	'Lease two boards together and release them': async (world) => {
		const { command, firmware } = run;
		const boards = `dut=arduino-uno,${firmware}\npeer=rp2040-pico`;
		const { outputs, log } = await step(world, { command, boards });
		return outputs.result === 'passed' && log.includes('[released]') ? 'released' : log;
	},
	'Lease a board by a tag that none has': (world) =>
		rejected(world, { ...run, 'board-type': 'arduino-uno', tags: 'rack=none' }),
	'Lease a board without enough credits': (world) =>
		rejected(world, { ...run, 'board-id': world.pricedBoard }, world.freeKey),
	'Create a key on the free tier': (world) =>
		rejected(world, { command: 'create-key' }, world.freeKey),
	'Create a base image without the admin role': (world) => rejected(world, image, world.freeKey),
	'Lease a board when none is available': async (world) => {
		const { outputs, log } = await step(world, { ...run, 'board-id': busyBoard });
		// The result of a run is not the code of a response: firmware can fail without one.
		return outputs.result === 'no_board' ? 'no_board_available' : log;
	},
	'Send too many requests': async (world) => {
		const limited = await world.strict();
		let code = 'not rejected';
		for (let count = 0; count < 3; count += 1) code = await rejected(limited, {});
		return code;
	},
};
