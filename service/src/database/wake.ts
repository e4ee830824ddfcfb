// Wakes readers when something they wait for has changed, on every replica. An announcement may be lost, so
// each process also compares what the tables say once a second: the tables are the truth.
import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import { every } from '../every.ts';
import type { Database } from './database.ts';

export interface Wake {
	/** Wakes every watcher of one of these names. Send it once the change is committed. */
	announce(...names: string[]): void;
	/** Takes what the tables say now, by name, and wakes the watchers of what has changed without an announcement. */
	compare(states: ReadonlyMap<string, string>): void;
	/** Records every change from now on; start it before reading, so that none is missed. */
	watch(names: readonly string[]): Watch;
	/** The number of current watchers. */
	readonly watched: number;
	close(): Promise<void>;
}

/** What a reader does while there is nothing to read. */
export type Wait = () => Promise<unknown>;

interface Watch {
	/** Resolves with the names announced since the last call: on one, after a time, or on abort. */
	changed(options?: { milliseconds?: number; signal?: AbortSignal }): Promise<ReadonlySet<string>>;
	close(): void;
}

export function createWake({ pool }: Database): Wake {
	const emitter = new EventEmitter().setMaxListeners(0);
	const open = new Set<Watch>();
	const emit = (names: Iterable<string>) => {
		for (const name of names) emitter.emit(`to ${name}`);
	};
	const missed = createComparison();
	const receive = (names: string[]) => {
		missed.announced(names);
		emit(names);
	};
	const others = pool && connectReplicas(pool, receive);
	return {
		announce(...names) {
			receive(names);
			others?.announce(names);
		},
		compare: (states) => emit(missed.since(states)),
		watch(names) {
			const watch = watchNames(emitter, names, () => open.delete(watch));
			open.add(watch);
			return watch;
		},
		get watched() {
			return open.size;
		},
		close: async () => others?.close(),
	};
}

/** Finds the names whose states have changed since the watchers were woken. */
function createComparison() {
	const known = new Map<string, string>();
	const announced = new Set<string>();
	return {
		announced(names: string[]) {
			for (const name of names) announced.add(name);
		},
		since(states: ReadonlyMap<string, string>) {
			const names = new Set([...known.keys(), ...states.keys()]);
			// What was announced is compared the next time: a change may have followed that was not.
			const missed = [...names].filter(
				(name) => known.get(name) !== states.get(name) && !announced.has(name),
			);
			announced.clear();
			for (const name of missed) {
				const state = states.get(name);
				if (state === undefined) known.delete(name);
				else known.set(name, state);
			}
			return missed;
		},
	};
}

function watchNames(emitter: EventEmitter, names: readonly string[], closed: () => void): Watch {
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
		async changed({ milliseconds = longestTimer, signal } = {}) {
			if (announced.size === 0 && !signal?.aborted) {
				await new Promise<void>((resolve) => {
					const done = () => {
						clearTimeout(timer);
						signal?.removeEventListener('abort', done);
						wake = () => {};
						resolve();
					};
					const timer = setTimeout(done, Math.max(0, milliseconds));
					signal?.addEventListener('abort', done);
					wake = done;
				});
			}
			const since = announced;
			announced = new Set();
			return since;
		},
		close() {
			for (const { name, listener } of listeners) emitter.off(`to ${name}`, listener);
			closed();
		},
	};
}

/** A timer of Node cannot wait longer. */
const longestTimer = 2 ** 31 - 1;

const channel = 'board_access';
// PostgreSQL accepts 8,000 bytes in a notification; a name has about 40.
const mostNames = 100;
const reconnectMilliseconds = 1_000;

const helloMilliseconds = 1_000;
/** A replica that was not heard for this time is gone. */
const longestSilence = 5_000;
/** Names are collected for this time after each notification. */
const collectMilliseconds = 5;

/** Sends names to the other replicas, if there are any, in batches, and receives theirs. */
function connectReplicas(pool: Pool, receive: (names: string[]) => void) {
	const self = randomUUID();
	const replicas = createRoll(self);
	const listener = keepListening(pool, (payload) => {
		const [from, ...names] = payload.split('\n');
		replicas.heard(from);
		if (from !== self) receive(names);
	});
	const notify = (names: string[]) =>
		pool.query('select pg_notify($1, $2)', [channel, [self, ...names].join('\n')]).catch(() => {});
	const hello = every(
		helloMilliseconds,
		() => notify([]),
		() => {},
	);
	let waiting = new Set<string>();
	let sending: Promise<void> | undefined;
	const send = async () => {
		while (waiting.size > 0) {
			const names = [...waiting];
			waiting = new Set(names.slice(mostNames));
			await notify(names.slice(0, mostNames));
			await delay(collectMilliseconds);
		}
		sending = undefined;
	};
	return {
		announce(names: string[]) {
			// Each notification costs a commit, and PostgreSQL runs those one after the other.
			if (replicas.isAlone()) return;
			for (const name of names) waiting.add(name);
			sending ??= Promise.resolve().then(send);
		},
		async close() {
			await hello.close();
			await sending;
			await listener.close();
		},
	};
}

/** Whether there are other replicas. One that does not hear itself does not know. */
function createRoll(self: string) {
	let selfAt = Number.NEGATIVE_INFINITY;
	let othersAt = performance.now();
	const isSilent = (heardAt: number) => performance.now() - heardAt > longestSilence;
	return {
		heard(from: string | undefined) {
			const now = performance.now();
			// Others may have been there while it did not hear itself.
			if (from !== self || isSilent(selfAt)) othersAt = now;
			if (from === self) selfAt = now;
		},
		isAlone: () => isSilent(othersAt) && !isSilent(selfAt),
	};
}

/** Listens on its own connection, and opens another if that one breaks. */
function keepListening(pool: Pool, receive: (payload: string) => void) {
	let closed = false;
	let client: PoolClient | undefined;
	let retry: NodeJS.Timeout | undefined;
	const connect = async () => {
		client = await pool.connect();
		client.on('notification', ({ payload = '' }) => receive(payload));
		client.once('end', reconnect);
		await client.query(`listen ${channel}`);
	};
	const reconnect = () => {
		client?.off('end', reconnect);
		client?.release(true);
		client = undefined;
		// A connection that breaks as it begins to listen reports it twice.
		clearTimeout(retry);
		if (!closed) retry = setTimeout(start, reconnectMilliseconds).unref();
	};
	const start = () => {
		opening = connect().catch(reconnect);
	};
	let opening: Promise<void> = Promise.resolve();
	start();
	return {
		async close() {
			closed = true;
			clearTimeout(retry);
			await opening;
			client?.off('end', reconnect);
			client?.release(true);
		},
	};
}
