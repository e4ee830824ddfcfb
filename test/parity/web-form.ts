// Pages and forms, requested like a browser without JavaScript.
import type { World } from './scenarios.ts';

export const origin = 'http://localhost';

export const openPage = (world: World, path: string, cookie = '') =>
	world.fetch(origin + path, { headers: { cookie, accept: 'text/html' }, redirect: 'manual' });

export const sendForm = (world: World, path: string, fields: Record<string, string>, cookie = '') =>
	world.fetch(origin + path, {
		method: 'POST',
		body: new URLSearchParams(fields),
		headers: { origin, cookie, accept: 'text/html' },
		redirect: 'manual',
	});

export const sessionOf = (response: Response) => {
	const lines = response.headers.getSetCookie();
	return lines.find((line) => line.includes('session_token='))?.split(';')[0] ?? '';
};

export const logIn = async (world: World) =>
	sessionOf(await sendForm(world, '/login', world.login));
