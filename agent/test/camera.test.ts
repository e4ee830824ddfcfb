// Pictures of a board by a camera on the agent's network, which may be broken, or no camera at all.
import { once } from 'node:events';
import type { RequestListener, ServerResponse } from 'node:http';
import { maxPictureBytes } from 'board-access-contract';
import { describe, expect, test } from 'vitest';
import { takePicture } from '../src/camera.ts';
import { checkConfig } from '../src/config.ts';
import { hardwareOf } from '../src/hardware-of.ts';
import { jpeg, png, startCamera } from './support/camera.ts';

const never = new AbortController().signal;
const endless = Buffer.alloc(64 * 1024, jpeg);

const take = async (respond: RequestListener, signal = never) =>
	takePicture(await startCamera(respond), signal);

/** Sends as much as is read, without an end. */
async function pour(response: ServerResponse, piece: Buffer) {
	while (!response.destroyed) if (!response.write(piece)) await once(response, 'drain');
}

describe('a camera', () => {
	test.each([
		['JPEG', jpeg],
		['PNG', png],
	])('sends a still image as %s', async (_, picture) => {
		expect(await take((_, response) => response.end(picture))).toEqual(picture);
	});

	test.each([
		['frame', 'boundary=frame'],
		['frame', 'boundary="frame"'],
		// As many cameras write it.
		['frame', 'boundary=--frame'],
	])(
		'sends frames between %s without an end, of which the first is taken',
		async (name, boundary) => {
			const part = `--${name}\r\nContent-Type: image/jpeg\r\n\r\n`;
			const frames = Buffer.concat([Buffer.from(part), jpeg, Buffer.from('\r\n')]);
			let closed: Promise<unknown> | undefined;
			const picture = await take((_, response) => {
				closed = once(response, 'close');
				response.setHeader('content-type', `multipart/x-mixed-replace; ${boundary}`);
				void pour(response, frames).catch(() => {});
			});
			expect(picture).toEqual(Buffer.concat([jpeg, Buffer.from('\r\n')]));
			await closed;
		},
	);

	test('gets the user and the password of its address', async () => {
		const address = await startCamera(({ headers }, response) => {
			const known = headers.authorization === `Basic ${btoa('lab:p@ss')}`;
			response.writeHead(known ? 200 : 401).end(jpeg);
		});
		await expect(takePicture(address, never)).rejects.toThrow('status 401');
		expect(await takePicture(address.replace('//', '//lab:p%40ss@'), never)).toEqual(jpeg);
	});
});

describe('what is no picture is rejected', () => {
	test('HTML, whatever its type says', async () => {
		const html = take((_, response) =>
			response.writeHead(200, { 'content-type': 'image/jpeg' }).end('<script>alert(1)</script>'),
		);
		await expect(html).rejects.toThrow('neither a JPEG nor a PNG');
	});

	test('a redirect, which could lead to any address of the network', async () => {
		let followed = false;
		const elsewhere = await startCamera((_, response) => {
			followed = true;
			response.end(jpeg);
		});
		const redirect = take((_, response) => response.writeHead(302, { location: elsewhere }).end());
		await expect(redirect).rejects.toThrow();
		expect(followed).toBe(false);
	});

	test('an image that is too large', async () => {
		const large = Buffer.alloc(maxPictureBytes + 1, jpeg);
		const taking = take((_, response) => response.end(large));
		await expect(taking).rejects.toThrow('larger than 512 KiB');
	});

	test.each([
		['an image', 'image/jpeg'],
		['a frame', 'multipart/x-mixed-replace; boundary=frame'],
	])('%s without an end', async (_, type) => {
		const taking = take((_, response) => {
			response.setHeader('content-type', type);
			void pour(response, endless).catch(() => {});
		});
		await expect(taking).rejects.toThrow('larger than 512 KiB');
	});

	test('an image that does not come in time', async () => {
		const controller = new AbortController();
		const taking = take((_, response) => {
			response.write(jpeg);
			controller.abort(new Error('It takes too long'));
		}, controller.signal);
		await expect(taking).rejects.toThrow('It takes too long');
	});

	test('an error', async () => {
		const taking = take((_, response) => response.writeHead(503).end(jpeg));
		await expect(taking).rejects.toThrow('The camera responded with status 503');
	});
});

describe('the configuration', () => {
	const boardWith = (camera: string) => {
		const board = { id: 'real', type: 'real', driver: 'command', between_leases: 'keep', camera };
		return checkConfig({ service: 'https://service.test', boards: [board] }).boards;
	};

	test.each(['camera.local/still.jpg', 'file:///etc/passwd', 'http://'])(
		'does not accept %s as a camera',
		(camera) => {
			expect(() => boardWith(camera)).toThrow('boards[0].camera: must be an http or https address');
		},
	);

	test('is checked together with the camera', async () => {
		const check = async (respond: RequestListener) => {
			const [board] = boardWith(await startCamera(respond));
			if (!board) throw new Error('No board');
			return hardwareOf(board, undefined).check();
		};
		const works = check((_, response) => response.end(jpeg));
		expect(await works).toBe('the camera sends a picture of 1 KiB');
		const fails = check((_, response) => response.writeHead(404).end());
		await expect(fails).rejects.toThrow('status 404');
	});
});
