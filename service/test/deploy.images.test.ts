// The Dockerfiles, built without Docker and started.
import { afterEach, expect, test, vi } from 'vitest';
import { rehearseImage } from './support/dockerfile.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
	for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

test('the image of the service builds from its files, starts, and lets a user sign up', async () => {
	const image = await rehearseImage('service/deploy/Dockerfile');
	cleanups.push(() => image.remove());
	const { output, stop } = image.start({ DATABASE_URL: ':memory:', PORT: '0' });
	cleanups.push(stop);
	await vi.waitFor(() => expect(output()).toContain('"Listening"'), { timeout: 20_000 });
	// Some packages are loaded only with the first session.
	const [, address] = /"address":"([^"]+)"/.exec(output()) ?? [];
	const { status } = await fetch(`${address}/signup`, {
		method: 'POST',
		headers: { origin: address ?? '' },
		body: new URLSearchParams({ email: 'first@example.com', password: 'correct horse 1 battery' }),
		redirect: 'manual',
	});
	expect(status).toBe(303);
}, 180_000);

test('the image of the agent builds from its files, and reads its configuration', async () => {
	const image = await rehearseImage('agent/deploy/Dockerfile');
	cleanups.push(() => image.remove());
	const { output, stop } = image.start({});
	cleanups.push(stop);
	const missing = 'board-access-agent.yaml';
	await vi.waitFor(() => expect(output()).toContain(missing), { timeout: 20_000 });
}, 180_000);
