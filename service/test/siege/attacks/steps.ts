// What attackers do one step after the other, and what others do besides.
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { addKeys } from '../database.ts';
import { sampleFirmware } from '../lab.ts';
import type { Found } from './attacks.ts';
import { trickyFirmware } from './firmware.ts';
import { open } from './send.ts';
import { act, commandType, type Lab, password, takeBoard, upload } from './tenants.ts';

const mebibyte = 1024 * 1024;
const maxStored = 256;

/** Uploads to lease after lease until that is rejected twice, and then ends the last one. */
export async function storeBytes(lab: Lab, signal: AbortSignal): Promise<Found> {
	const { attacker, database } = lab;
	const stored = async () => {
		const bytes = `select coalesce(sum(length(data)), 0) as bytes from file_contents where owner = '${attacker.accountId}'`;
		return Math.round(Number((await database.run(bytes))[0]?.bytes) / mebibyte);
	};
	const before = await database.bytes();
	let reason = 'the time was up';
	for (let rejected = 0; rejected < 2 && !signal.aborted; ) {
		const file = randomBytes(16 * mebibyte);
		const accepted = await upload(lab, attacker, file, '?raw=true').catch(async (error) => {
			reason = /"code":"(\w+)"/.exec(String(error))?.[1] ?? String(error);
			await release(lab);
			await takeBoard(lab, attacker, commandType);
		});
		rejected = accepted ? 0 : rejected + 1;
	}
	const grown = Math.round(((await database.bytes()) - before) / mebibyte);
	const most = await stored();
	await release(lab);
	let seconds = 0;
	for (; (await stored()) > 0 && seconds < 90; seconds += 1) await wait(1_000);
	return {
		text: `${most} MiB until ${reason}, database +${grown} MiB; ${await stored()} MiB ${seconds} s after the last lease`,
		limit: `${maxStored} MiB; none after 90 s`,
		held: most <= maxStored && seconds < 90,
	};
}

function release({ ask, attacker }: Lab) {
	return ask(attacker, `/v1/leases/${attacker.leaseId}`, 'DELETE');
}

export async function uploadSmall(lab: Lab) {
	await upload(lab, lab.victim, await readFile(sampleFirmware));
}

/** The waits end at the change that follows, and must not say what it is. */
export async function waitsOfRevokedKey(lab: Lab): Promise<Found> {
	const { ask, attacker, database, service } = lab;
	const [key] = await addKeys(database, [attacker.accountId]);
	if (!key) throw new Error('No key was added');
	const path = `/v1/leases/${attacker.leaseId}?wait=30&status=active`;
	const waits = Array.from({ length: 100 }, async () => {
		const response = await open({ origin: service.url, token: key.key, path });
		response.resume();
		return response.statusCode;
	});
	await wait(1_000);
	await ask(attacker, `/v1/auth/keys/${key.id}`, 'DELETE');
	await release(lab);
	// A request that comes late has an unknown key, of which the service accepts so many a minute.
	const isRejected = (status = 0) => status === 401 || status === 429;
	const rejected = (await Promise.all(waits)).filter(isRejected).length;
	return { text: `${rejected} waits rejected`, limit: 'all 100', held: rejected === 100 };
}

/** Flashes what the service accepts: the agent reads it once more. */
export async function flashTricky(lab: Lab, signal: AbortSignal): Promise<Found> {
	let accepted = 0;
	const flash = async (firmware: Buffer) => {
		const { id: file_id } = await upload(lab, lab.attacker, firmware);
		accepted += 1;
		while (!signal.aborted) await act(lab, lab.attacker, { action: 'flash', file_id });
	};
	// What is rejected does not reach the agent.
	const all = trickyFirmware().map((file) => flash(file).catch(() => {}));
	await Promise.all(all);
	return { text: `${accepted} of ${all.length} files accepted`, limit: '', held: true };
}

/** Leases boards that cannot be prepared, again and again. */
export async function leaseWithImages({ ask, attackers }: Lab, signal: AbortSignal) {
	const work = async (attacker: Lab['attacker']) => {
		while (!signal.aborted) {
			const body = { board_type: commandType, wait_seconds: 60 };
			const { id } = await ask(attacker, '/v1/leases', 'POST', body);
			await ask(attacker, `/v1/leases/${id}?wait=5&status=preparing`);
			await ask(attacker, `/v1/leases/${id}`, 'DELETE');
		}
	};
	await Promise.all(attackers.map(work));
	return undefined;
}

/** Repeats it as a person does who is told to wait. */
export async function logIn({ service: { url }, victim: { email } }: Lab) {
	const body = new URLSearchParams({ email, password });
	const headers = { origin: url, 'x-forwarded-for': '192.0.2.1' };
	const init = { method: 'POST', redirect: 'manual', body, headers } as const;
	while ((await fetch(`${url}/login`, init)).status !== 303) await wait(500);
}
