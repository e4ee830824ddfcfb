// Wakes those who wait for a change, on every replica. Announcements can be lost, so each process also compares the
// tables once a second.
import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import { every } from '../every.ts';
import type { Database } from './database.ts';

export type Wake = ReturnType<typeof createWake>;

/** What a reader does while there is nothing to read. */
export type Wait = () => Promise<unknown>;

interface Wakeup {
	milliseconds?: number;
	signal?: AbortSignal;
}

export function createWake({ pool }: Database) {
	const emitter = new EventEmitter().setMaxListeners(0);
	const known = new Map<string, string>();
	const announced = new Set<string>();
	const emit = (names: string[]) => {
		for (const name of names) {
			announced.add(name);
			emitter.emit(`to ${name}`);
		}
	};
	const others = pool && connectReplicas(pool, emit);
	return {
		/** Wakes the watchers of these names. To be called after the commit. */
		announce(...names: string[]) {
			emit(names);
			others?.announce(names);
		},
		/** Compares what the tables say, by name, with the last time, and wakes the watchers of what was not announced. */
		compare(states: ReadonlyMap<string, string>) {
			const gone = [...known.keys()].filter((name) => !states.has(name));
			for (const name of [...states.keys(), ...gone]) {
				const state = states.get(name);
				// An announced name is compared the next time: another change may have followed.
				if (known.get(name) === state || announced.has(name)) continue;
				if (state === undefined) known.delete(name);
				else known.set(name, state);
				emitter.emit(`to ${name}`);
			}
			announced.clear();
		},
		/** Records changes from now on. Start it before reading, so that none is missed. */
		watch: (names: readonly string[]) => watchNames(emitter, names),
		close: async () => others?.close(),
	};
}

function watchNames(emitter: EventEmitter, names: readonly string[]) {
	let announced = new Set<string>();
	let wake = () => {};
	const listeners = names.map((name) => {
		const listener = () => {
			announced.add(name);
			wake();
		};
		emitter.on(`to ${name}`, listener);
		return { name, listener };
	});
	return {
		/** Resolves with the names announced since the last call: on the first, after a time, or on abort. */
		async changed({ milliseconds = 2 ** 31 - 1, signal }: Wakeup = {}) {
			if (announced.size === 0 && !signal?.aborted) {
				const { promise, resolve } = Promise.withResolvers<unknown>();
				const timer = setTimeout(resolve, Math.max(0, milliseconds));
				signal?.addEventListener('abort', resolve);
				wake = () => resolve(undefined);
				await promise;
				clearTimeout(timer);
				signal?.removeEventListener('abort', resolve);
			}
			const since = announced;
			announced = new Set();
			return since;
		},
		[Symbol.dispose]() {
			for (const { name, listener } of listeners) emitter.off(`to ${name}`, listener);
		},
	};
}

const channel = 'board_access';
const notify = 'select pg_notify($1, $2)';
// PostgreSQL accepts 8,000 bytes in a notification; a name has about 40.
const maxNames = 100;
const helloMilliseconds = 1_000;
/** A replica that was silent for this time is gone. */
const maxSilence = 5_000;
/** Names are collected for this time after each notification. */
const collectMilliseconds = 5;

/** Sends names to the other replicas, if there are any, in batches, and receives theirs. */
function connectReplicas(pool: Pool, receive: (names: string[]) => void) {
	const self = randomUUID();
	const payloadOf = (names: string[]) => [self, ...names].join('\n');
	const heardAt = { self: 0, others: performance.now() };
	/** Whether this replica hears itself, but no other. */
	const isAlone = () =>
		heardAt.self - heardAt.others > maxSilence && performance.now() - heardAt.self < maxSilence;
	let listener: PoolClient | undefined;
	/** Tells the others that this replica is there. Opens a new connection when the last one has failed. */
	const sayHello = async () => {
		if (!listener) {
			listener = await pool.connect();
			listener.on('notification', ({ payload = '' }) => {
				const [from, ...names] = payload.split('\n');
				heardAt[from === self ? 'self' : 'others'] = performance.now();
				if (from !== self) receive(names);
			});
			await listener.query(`listen ${channel}`);
		}
		await listener.query(notify, [channel, payloadOf([])]);
	};
	const release = () => {
		listener?.release(true);
		listener = undefined;
	};
	const hello = every(helloMilliseconds, sayHello, release);
	let waiting = new Set<string>();
	let sending: Promise<void> | undefined;
	const send = async () => {
		while (waiting.size > 0) {
			const names = [...waiting];
			waiting = new Set(names.slice(maxNames));
			// If names are lost, their watchers wait until the tables are compared.
			await pool.query(notify, [channel, payloadOf(names.slice(0, maxNames))]).catch(() => {});
			await delay(collectMilliseconds);
		}
		sending = undefined;
	};
	return {
		announce(names: string[]) {
			// Each notification costs a commit, and PostgreSQL runs these commits one after the other.
			if (isAlone()) return;
			for (const name of names) waiting.add(name);
			sending ??= Promise.resolve().then(send);
		},
		async close() {
			await hello.close();
			await sending;
			release();
		},
	};
}
