// Colleagues: they watch a lease that its holder shares with them, and type into it if they may.
import type { AnyLease, BoardAccess } from 'board-access';
import { addText } from './rules/console.ts';
import type { Rules } from './rules.ts';
import type { Process } from './simulation.ts';
import type { Troubles } from './troubles.ts';

const onlyShared = 'only what is shared is seen';

interface Visit {
	process: Process;
	client: BoardAccess;
	rules: Rules;
	troubles: Troubles;
	/** The lease, and the holder's label of it. */
	lease: string;
	label: string;
	email: string;
	milliseconds: number;
	/** How a call is recorded, which has to settle. */
	call<Result>(name: string, work: () => Promise<Result>): Promise<Result>;
	/** What they type is numbered, whichever of their processes types it. */
	nextUnit(): number;
}

/** Reads and types for some time, with the same object while the lease is shared, and when it is shared again. */
export async function visitAsColleague(visit: Visit) {
	const { process, rules } = visit;
	const stop = new AbortController();
	process.after(visit.milliseconds, () => stop.abort(new Error('The colleague has seen enough')));
	let lease: AnyLease | undefined;
	while (!stop.signal.aborted) {
		if (!lease) {
			lease = await find(visit);
			// A lease that is no longer shared has not ended.
			if (lease) rules.beliefs.push({ process, lease, minutes: 0, renews: false });
		}
		if (lease)
			await Promise.allSettled([read(visit, lease, stop.signal), type(visit, lease, stop.signal)]);
		await pause(process, 4_000);
	}
	process.kill();
}

async function find({ client, lease, call }: Visit) {
	return await call('get as a colleague', () => client.leases.get(lease)).catch(() => undefined);
}

async function read(visit: Visit, lease: AnyLease, signal: AbortSignal) {
	const { process, rules, email, call } = visit;
	const began = process.simulation.now;
	const reading = rules.console.reading(process.name, lease.id);
	reading.sharedWith = email;
	try {
		await call('read as a colleague', async () => {
			for await (const piece of lease.console.text({ signal, withOffsets: true })) {
				addText(reading, piece, process.simulation.now);
			}
		});
	} catch (error) {
		if (!signal.aborted) checkEnd(visit, { began, error });
	}
}

/** A reader goes on while the lease is shared, and begins again once it is shared again. */
function checkEnd(visit: Visit, { began, error }: { began: number; error: unknown }) {
	const { process, rules, troubles, lease, email } = visit;
	const known = rules.leases.get(lease);
	if (known?.row.status !== 'active' || known.restored) return;
	if (troubles.wasAwayFor(process.name, 45_000)) return;
	rules.sharing.look({ lease, email });
	const { at = began, access = null } = rules.sharing.lastOf({ lease, email }) ?? {};
	if (access === null || at >= began) return;
	rules.violated('a reader lasts as long as the lease', `${process.name} of ${lease}: ${error}`);
}

async function type(visit: Visit, lease: AnyLease, signal: AbortSignal) {
	const { process, rules, label, email, call } = visit;
	const name = `${label}+${email.split('@')[0]}`;
	const confirmed = rules.confirmed.get(name) ?? new Set();
	rules.confirmed.set(name, confirmed);
	while (!signal.aborted) {
		const from = process.simulation.now;
		const number = visit.nextUnit();
		await call('type as a colleague', () =>
			lease.console.write(`${name}/${number}\n`, { timeout: 20_000 }),
		);
		confirmed.add(number);
		const span = { from, to: process.simulation.now };
		if (!rules.sharing.had({ lease: lease.id, email }, 'type', span)) {
			rules.violated(onlyShared, `${process.name} types into ${lease.id}`);
		}
		await renew(visit, lease);
		await pause(process, 6_000);
	}
}

/** Only the holder may. */
async function renew({ process, rules, call }: Visit, lease: AnyLease) {
	const isDone = await call('renew as a colleague', () => lease.renew()).then(
		() => true,
		() => false,
	);
	if (isDone) rules.violated(onlyShared, `${process.name} renews ${lease.id}`);
}

function pause(process: Process, milliseconds: number) {
	return new Promise<void>((resolve) => {
		process.after(milliseconds, resolve);
	});
}
