// What a monitoring system reads: the lab, the process, and how long requests take. No identifiers.
import { boardStatuses, leaseEndReasons } from 'board-access-contract';
import { type Core, type Figures, freeSpace, readFigures } from 'board-access-core';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import definitions from './metrics.json' with { type: 'json' };

export type Metrics = ReturnType<typeof createMetrics>;

const keptMilliseconds = 3_000;
/** So many board types have series of their own. */
const maxTypes = 50;

export function createMetrics(core: Core) {
	const registry = new Registry();
	const metrics = defineMetrics(registry);
	countHappenings(core, metrics);
	const collect = async () => {
		const figures = await readFigures(core.database).catch(() => undefined);
		const free = await freeSpace(core.settings.database).catch(() => undefined);
		for (const name of Object.keys(definitions.gauges)) {
			registry.getSingleMetric(`board_access_${name}`)?.reset();
		}
		metrics.database_up.set(figures ? 1 : 0);
		if (figures) setFigures(figures, metrics);
		if (free !== undefined) metrics.database_bytes.set({ state: 'free' }, free);
		setPool(core, metrics);
		return registry.metrics();
	};
	let kept: Promise<string> | undefined;
	const keep = () => setTimeout(() => (kept = undefined), keptMilliseconds).unref();
	return {
		contentType: registry.contentType,
		/** Adds the figures of the process. They are collected until it ends, so the program asks for them. */
		addProcess: () => collectDefaultMetrics({ register: registry }),
		/** However often somebody asks, the metrics are collected once in a few seconds. */
		text: () => (kept ??= collect().finally(keep)),
		observe: (labels: { method: string; route: string; status: number }, seconds: number) =>
			metrics.request_duration_seconds.observe(labels, seconds),
		/** Counts a rejected request by the name in `RateLimit-Policy`, which limits of work at a time do not have. */
		reject: (policy: string | null) =>
			metrics.requests_limited_total.inc({ limit: policy?.split('"')[1] ?? 'at_a_time' }),
	};
}

type Defined = ReturnType<typeof defineMetrics>;

function defineMetrics(registry: Registry) {
	const define = <Name extends string, Definition, Metric>(
		metrics: Record<Name, Definition>,
		create: (configuration: Definition & { name: string; registers: Registry[] }) => Metric,
	) => {
		const entries = Object.entries<Definition>(metrics).map(([key, definition]) => {
			const name = `board_access_${key}`;
			return [key, create({ ...definition, name, registers: [registry] })];
		});
		return Object.fromEntries(entries) as Record<Name, Metric>; // with the same keys
	};
	return {
		...define(definitions.counters, (metric) => new Counter(metric)),
		...define(definitions.gauges, (metric) => new Gauge(metric)),
		...define(definitions.histograms, (metric) => new Histogram(metric)),
	};
}

function countHappenings({ happenings }: Core, metrics: Defined) {
	const named = boundedNames();
	for (const reason of leaseEndReasons) metrics.leases_ended_total.inc({ reason }, 0);
	happenings.on('change', ({ before, after }) => {
		const earlier = new Map(before.leases.map((lease) => [lease.id, lease]));
		for (const lease of after.leases) {
			const { granted_at, end_reason: reason } = lease;
			const former = earlier.get(lease.id);
			const board_type = named(lease.board_type);
			if (reason && !former?.end_reason) metrics.leases_ended_total.inc({ reason });
			if (granted_at === null || granted_at === former?.granted_at) continue;
			metrics.leases_granted_total.inc({ board_type });
			const via = lease.api_key_id === null ? 'session' : 'api_key';
			const wait = Date.parse(granted_at) - Date.parse(lease.created_at);
			if (!former?.fence) metrics.lease_wait_seconds.observe({ board_type, via }, wait / 1000);
		}
		for (const { cause, lease_id } of after.failures) {
			const isPreparing = earlier.get(lease_id)?.status === 'preparing';
			metrics.failures_total.inc({ cause, phase: isPreparing ? 'preparation' : 'lease' });
		}
	});
	happenings.on('console', (direction, bytes) =>
		metrics.console_bytes_total.inc({ direction }, bytes),
	);
	happenings.on('query', ({ query: { query, sql }, queryDurationMillis }) => {
		// Such as `select` for a SelectQueryNode.
		const kind = query.kind.replace(/(Query)?Node$/, '').toLowerCase();
		const statement = sql === 'commit' ? sql : kind;
		metrics.database_statement_duration_seconds.observe({ statement }, queryDurationMillis / 1000);
	});
}

function setPool({ database: { pool } }: Core, metrics: Defined) {
	if (!pool) return;
	metrics.database_connections.set({ state: 'idle' }, pool.idleCount);
	metrics.database_connections.set({ state: 'in_use' }, pool.totalCount - pool.idleCount);
	metrics.database_connections.set({ state: 'unopened' }, pool.options.max - pool.totalCount);
	metrics.database_waiting.set(pool.waitingCount);
}

function setFigures({ time, boards, leases, totals }: Figures, metrics: Defined) {
	const named = boundedNames();
	const { used = 0, ...agents } = totals ?? {};
	metrics.database_bytes.set({ state: 'used' }, used);
	for (const [state, count] of Object.entries(agents)) metrics.agents.set({ state }, count);
	for (const { board_type: type, status, count } of boards) {
		const board_type = named(type);
		for (const status of boardStatuses) metrics.boards.inc({ board_type, status }, 0);
		for (const status of liveStatuses) metrics.leases.inc({ board_type, status }, 0);
		metrics.boards.inc({ board_type, status }, count);
		metrics.queue_oldest_seconds.set({ board_type }, 0);
	}
	// Those that wait for the longest time come last.
	for (const { board_type: type, status, count, since } of leases) {
		const board_type = named(type);
		metrics.leases.inc({ board_type, status }, count);
		const age = (time - Date.parse(since)) / 1000;
		if (status === 'queued') metrics.queue_oldest_seconds.set({ board_type }, Math.max(0, age));
	}
}

const liveStatuses = ['queued', 'preparing', 'active'] as const;

function boundedNames() {
	const known = new Set<string>();
	return (name: string) => {
		if (known.size < maxTypes) known.add(name);
		return known.has(name) ? name : 'other';
	};
}
