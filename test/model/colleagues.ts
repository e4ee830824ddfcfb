// Colleagues: they watch a lease that its holder shares with them, and type into it if they may.
import type { AnyLease, BoardAccess } from 'board-access';
import { addText } from './rules/console.ts';
import type { Rules } from './rules.ts';
import type { Process } from './simulation.ts';

const onlyShared = 'only what is shared is seen';

interface Visit {
	process: Process;
	client: BoardAccess;
	rules: Rules;
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

/** Reads and types for some time; errors are what the rules allow, or are judged by them. */
export async function visitAsColleague(visit: Visit) {
	const { process, client, call } = visit;
	const stop = new AbortController();
	process.after(visit.milliseconds, () => stop.abort(new Error('The colleague has seen enough')));
	while (!stop.signal.aborted) {
		const lease = await call('get as a colleague', () => client.leases.get(visit.lease)).catch(
			() => undefined,
		);
		if (lease)
			await Promise.allSettled([read(visit, lease, stop.signal), type(visit, lease, stop.signal)]);
		await pause(process, 4_000);
	}
	process.kill();
}

async function read({ process, rules, email, call }: Visit, lease: AnyLease, signal: AbortSignal) {
	const reading = rules.console.reading(process.name, lease.id);
	reading.sharedWith = email;
	await call('read as a colleague', async () => {
		for await (const piece of lease.console.text({ signal, withOffsets: true })) {
			addText(reading, piece, process.simulation.now);
		}
	});
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
