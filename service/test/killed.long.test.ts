// Killed at any moment, the service loses nothing that it has confirmed.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { describe, expect, inject, onTestFailed, test } from 'vitest';
import { openDatabase } from '../../core/src/database/database.ts';
import { findKeyOwner } from '../../core/src/keys/lookup.ts';
import { databaseKinds, emptyDatabase } from '../../core/test/support/databases.ts';
import { randomOf } from '../../test/model/random.ts';
import { createService } from '../src/service.ts';

const kills = 50;
const maxDelay = 60; // milliseconds

/** Lets a replica write, kills it some milliseconds after its first revocation, and returns its reports. */
const writeAndKill = (database: string, apiKey: string, delay: number) =>
	new Promise<string[]>((resolve) => {
		const child = spawn(process.execPath, [inject('writer'), database, apiKey], {
			stdio: ['ignore', 'pipe', 'inherit'],
		});
		const reports: string[] = [];
		let dying = false;
		createInterface(child.stdout)
			.on('line', (line) => {
				reports.push(line);
				if (dying || !line.startsWith('revoked')) return;
				dying = true;
				setTimeout(() => child.kill('SIGKILL'), delay);
			})
			.on('close', () => resolve(reports));
	});

describe.each(databaseKinds)('on %s', (kind) => {
	test(`after ${kills} kills under write load every confirmed change is still there`, async () => {
		const location = await emptyDatabase(kind);
		const { demo, close } = await createService({ database: location, demo: true });
		await close();
		const reports: string[] = [];
		const seed = Number(process.env.KILL_SEED ?? Date.now() % 1e6);
		const random = randomOf(seed);
		onTestFailed(() => console.error(`Killed after the delays of KILL_SEED=${seed}`));
		for (let count = 0; count < kills; count += 2) {
			const two = [1, 2].map(() => writeAndKill(location, demo?.apiKey ?? '', random() * maxDelay));
			for (const lines of await Promise.all(two)) {
				expect(lines.length).toBeGreaterThan(0);
				reports.push(...lines);
			}
		}
		const revoked = new Set(reports.map((line) => /^revoked (key_\w{48})$/.exec(line)?.[1]));
		const database = await openDatabase(location);
		const find = (key: string) => findKeyOwner(database, key);
		for (const line of reports) {
			const key = /^created (key_\w{48})$/.exec(line)?.[1];
			if (!key) continue;
			const owner = await find(key);
			expect(owner).toBeDefined();
			if (revoked.has(key)) expect(owner?.revokedAt).not.toBeNull();
		}
		expect(revoked.size).toBeGreaterThan(kills / 2);
		await database.close();
	}, 600_000);
});
