// The scenarios with the web pages: forms are sent as a browser sends them, and the API is called as their script does.
import { setTimeout as sleep } from 'node:timers/promises';
import { sampleFirmware } from 'board-access-agent/samples';
import type { Channel, World } from './scenarios.ts';
import { logIn, openPage, origin, sendForm, sessionOf } from './web-form.ts';

let visitors = 0;
const freeVisitor = async (world: World) => {
	visitors += 1;
	const email = `parity-${visitors}-${Date.now()}@example.com`;
	return sessionOf(await sendForm(world, '/signup', { email, password: 'a long sentence' }));
};

const text = async (world: World, path: string, cookie: string) =>
	(await openPage(world, path, cookie)).text();

/** Pages show text, not codes. Each error code has its status and a unique text. */
const words = {
	board_tag_not_found: [404, 'has the tag rack=none'],
	credits_exhausted: [402, 'credits'],
	paid_tier_required: [402, 'Creating keys needs the paid tier'],
	admin_required: [403, 'This page is for administrators'],
	rate_limited: [429, 'Too many requests'],
} as const;

const rejected = async (response: Response, code: keyof typeof words) => {
	const [status, sentence] = words[code];
	const page = await response.text();
	return response.status === status && page.includes(sentence)
		? code
		: `${response.status} ${page}`;
};

const newKey = async (world: World, cookie: string) => {
	const page = await (await sendForm(world, '/keys', { label: 'page' }, cookie)).text();
	return /key_[0-9a-f]{48}/.exec(page)?.[0] ?? page;
};

const image = { action: 'erase', board_type: 'parity', name: 'Erase by page', enabled: 'on' };
const newImage = async (world: World, cookie: string) => {
	await sendForm(world, '/admin/base-images/new', image, cookie);
	const page = await text(world, '/admin/base-images', cookie);
	// The last of its type.
	const paths = page
		.slice(page.indexOf('parity'))
		.match(/\/admin\/base-images\/img_[0-9a-f]{24}(?=")/g);
	return paths?.at(-1) ?? '';
};

const noKey = { missing: 'The pages use a session, not a key.' };

const until = async (isTrue: () => Promise<boolean>) => {
	for (let attempts = 0; !(await isTrue()); attempts += 1) {
		if (attempts > 200) throw new Error('It did not happen in 20 seconds');
		await sleep(100);
	}
};

/** As the script of the page does. */
const flash = async (world: World, lease: string, cookie: string) => {
	const send = (path: string, body: BodyInit, type: string) =>
		world.fetch(`${origin}/v1${lease}${path}`, {
			method: 'POST',
			body,
			headers: { cookie, origin, 'content-type': type },
		});
	const firmware = Buffer.from(await sampleFirmware('arduino-uno'));
	const { id } = await (await send('/files', firmware, 'application/octet-stream')).json();
	await send('/actions', JSON.stringify({ action: 'flash', file_id: id }), 'application/json');
};

export const webPage: Channel = {
	'Log in or use a key': async (world) => {
		const response = await openPage(world, '/boards', await logIn(world));
		return response.status === 200 ? 'logged in' : `${response.status}`;
	},
	'Boards by type and status': async (world) => {
		const cookie = await logIn(world);
		const page = await text(world, '/boards?board_type=esp32-s3&status=available', cookie);
		const found = page.matchAll(/href="\/boards\/(brd_[^"/?]+)"/g);
		return [...new Set([...found].map(([, id]) => id))].sort().join(' ');
	},
	'Create a key that works': async (world) => {
		const key = await newKey(world, await logIn(world));
		return (await world.tryKey(key)) === 'works' ? 'created' : 'useless';
	},
	'List keys': async (world) => {
		const cookie = await logIn(world);
		const key = await newKey(world, cookie);
		const page = await text(world, '/keys', cookie);
		return page.includes(key.slice(0, 8)) && page.includes(key.slice(-4)) ? 'listed' : 'missing';
	},
	'Use a key after it was revoked': async (world) => {
		const cookie = await logIn(world);
		const key = await newKey(world, cookie);
		const page = await text(world, '/keys', cookie);
		// The newest key comes first.
		const id = /\/keys\/revoke\?id=(key_[0-9a-f]{24})/.exec(page)?.[1] ?? '';
		await sendForm(world, '/keys/revoke', { id }, cookie);
		return world.tryKey(key);
	},
	'Use an expired key': noKey,
	'Use an unknown key': noKey,
	'Use no credentials': async (world) => {
		const response = await openPage(world, '/boards');
		// A page asks for the credentials instead of showing an error.
		const asks = response.headers.get('location')?.startsWith('/login');
		return asks ? 'credentials_missing' : `${response.status}`;
	},
	'Create a base image': async (world) => {
		const response = await sendForm(world, '/admin/base-images/new', image, await logIn(world));
		return response.status === 303 ? 'created' : `${response.status}`;
	},
	'List base images': async (world) => {
		const cookie = await logIn(world);
		await sendForm(world, '/admin/base-images/new', image, cookie);
		const page = await text(world, '/admin/base-images', cookie);
		return page.includes('Erase by page') ? 'listed' : 'missing';
	},
	'Edit a base image': async (world) => {
		const cookie = await logIn(world);
		const path = await newImage(world, cookie);
		await sendForm(world, path, { ...image, position: '0', name: 'Edited by page' }, cookie);
		return (await text(world, path, cookie)).includes('Edited by page') ? 'edited' : 'unchanged';
	},
	'Delete a base image': async (world) => {
		const cookie = await logIn(world);
		const path = await newImage(world, cookie);
		await sendForm(world, `${path}/delete`, {}, cookie);
		const { status } = await openPage(world, path, cookie);
		return status === 404 ? 'deleted' : 'kept';
	},
	'Replace the token of an agent': { missing: 'The page of agents changes nothing.' },
	'Lease, flash, expect and release': async (world) => {
		const cookie = await logIn(world);
		const started = await sendForm(
			world,
			'/boards/brd_arduino-uno-01/use',
			{ minutes: '5' },
			cookie,
		);
		const lease = started.headers.get('location') ?? '';
		await until(async () => (await text(world, lease, cookie)).includes('Line to send'));
		await flash(world, lease, cookie);
		const console = () => text(world, `${lease}/console.txt`, cookie);
		await until(async () => (await console()).includes('Hello from Arduino Uno'));
		await sendForm(world, `${lease}/release`, { confirmed: 'true' }, cookie);
		const page = await text(world, lease, cookie);
		return page.includes('You released the board.') ? 'released' : page;
	},
	'Lease two boards together and release them': async (world) => {
		const cookie = await logIn(world);
		const wanted = { minutes: '5', peers: 'rp2040-pico' };
		const started = await sendForm(world, '/boards/brd_arduino-uno-01/use', wanted, cookie);
		const page = await text(world, started.headers.get('location') ?? '', cookie);
		const [dut, peer] = [...page.matchAll(/src="(\/leases\/[^?"]+)/g)].map(([, path]) => path);
		await sendForm(world, `${dut}/release`, { confirmed: 'true' }, cookie);
		const other = await text(world, `${peer}`, cookie);
		return other.includes('You released the board.') ? 'released' : other;
	},
	'Lease a board by a tag that none has': async (world) => {
		const wanted = { minutes: '5', peers: 'rp2040-pico:rack=none' };
		const cookie = await logIn(world);
		const response = await sendForm(world, '/boards/brd_arduino-uno-01/use', wanted, cookie);
		return rejected(response, 'board_tag_not_found');
	},
	'Lease a board without enough credits': async (world) => {
		const path = `/boards/${world.pricedBoard}/use`;
		const response = await sendForm(world, path, { minutes: '5' }, await freeVisitor(world));
		return rejected(response, 'credits_exhausted');
	},
	'Create a key on the free tier': async (world) =>
		rejected(await sendForm(world, '/keys', {}, await freeVisitor(world)), 'paid_tier_required'),
	'Create a base image without the admin role': async (world) =>
		rejected(
			await sendForm(world, '/admin/base-images/new', image, await freeVisitor(world)),
			'admin_required',
		),
	'Lease a board when none is available': {
		missing: 'The page adds the visitor to the queue and shows the position in it.',
	},
	'Send too many requests': async (world) => {
		const limited = await world.strict();
		const cookie = await logIn(limited);
		const pages = [];
		for (let count = 0; count < 3; count += 1)
			pages.push(await openPage(limited, '/boards', cookie));
		const [last = Response.error()] = pages.slice(-1);
		return rejected(last, 'rate_limited');
	},
};
