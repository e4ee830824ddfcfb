// What a monitoring system reads: the lab, the process, and how long requests take. No identifiers.
import { boardStatuses, leaseEndReasons, leaseStatuses } from 'board-access-contract';
import { type Core, type Figures, outcomesOf, readFigures } from 'board-access-core';
import {
	Counter,
	collectDefaultMetrics,
	Gauge,
	Histogram,
	type MetricConfiguration,
	Registry,
} from 'prom-client';
import definitions from './metrics.json' with { type: 'json' };

export type Metrics = ReturnType<typeof createMetrics>;

const keptMilliseconds = 3_000;

export function createMetrics(core: Core) {
	const registry = new Registry();
	const define = <Name extends string, Metric>(
		metrics: Record<Name, Pick<MetricConfiguration<string>, 'help'>>,
		create: (configuration: MetricConfiguration<string>) => Metric,
	) => {
		const named = Object.keys(metrics).map((name) => {
			const configuration = { ...metrics[name as Name], name: `board_access_${name}` };
			return [name, create({ ...configuration, registers: [registry] })];
		});
		return Object.fromEntries(named) as Record<Name, Metric>; // with the same keys
	};
	const counters = define(definitions.counters, (metric) => new Counter(metric));
	const gauges = define(definitions.gauges, (metric) => new Gauge(metric));
	const histograms = define(definitions.histograms, (metric) => new Histogram(metric));
	countHappenings(core, { ...counters, ...histograms });
	const collect = async () => {
		for (const gauge of Object.values(gauges)) gauge.reset();
		setPools(core, gauges);
		const figures = await readFigures(core.database, core.settings.database).catch(() => undefined);
		gauges.database_up.set(figures ? 1 : 0);
		if (figures) setFigures(figures, gauges);
		return registry.metrics();
	};
	let kept: Promise<string> | undefined;
	const forget = () => {
		kept = undefined;
	};
	return {
		contentType: registry.contentType,
		/** Adds the figures of the process. They are collected until it ends, so the program asks for them. */
		addProcess: () => collectDefaultMetrics({ register: registry }),
		/** However often somebody asks, the metrics are collected once in a few seconds. */
		text: () => (kept ??= collect().finally(() => setTimeout(forget, keptMilliseconds).unref())),
		observe: (labels: { method: string; route: string; status: number }, seconds: number) =>
			histograms.request_duration_seconds.observe(labels, seconds),
		/** Counts a rejected request by the name in `RateLimit-Policy`, which limits of work at a time do not have. */
		reject: (policy: string | null) =>
			counters.requests_limited_total.inc({ limit: policy?.split('"')[1] ?? 'at_a_time' }),
	};
}

type Named<Kind extends keyof typeof definitions, Metric> = Record<
	keyof (typeof definitions)[Kind],
	Metric
>;
type Gauges = Named<'gauges', Gauge>;
type Counted = Named<'counters', Counter> & Named<'histograms', Histogram>;

function countHappenings({ happenings }: Core, counted: Counted) {
	const named = boundedNames();
	for (const reason of leaseEndReasons) counted.leases_ended_total.inc({ reason }, 0);
	happenings.on('change', (change) => {
		const { granted, ended, failures } = outcomesOf(change);
		for (const { via, wait, isFirst, ...lease } of granted) {
			const board_type = named(lease.board_type);
			counted.leases_granted_total.inc({ board_type });
			if (isFirst) counted.lease_wait_seconds.observe({ board_type, via }, wait / 1000);
		}
		for (const reason of ended) counted.leases_ended_total.inc({ reason });
		for (const failure of failures) counted.failures_total.inc(failure);
	});
	happenings.on('console', (direction, bytes) =>
		counted.console_bytes_total.inc({ direction }, bytes),
	);
	happenings.on('query', ({ query: { query, sql }, queryDurationMillis }) => {
		// Such as `select` for a SelectQueryNode.
		const kind = query.kind.replace(/(Query)?Node$/, '').toLowerCase();
		const statement = sql === 'commit' ? sql : kind;
		counted.database_statement_duration_seconds.observe({ statement }, queryDurationMillis / 1000);
	});
}

function setPools({ database: { pools } }: Core, gauges: Gauges) {
	for (const [pool, counts] of Object.entries(pools ?? {})) {
		const { totalCount, idleCount, waitingCount, options } = counts;
		const states = { idle: idleCount, in_use: totalCount - idleCount };
		const unopened = options.max - totalCount;
		for (const [state, count] of Object.entries({ ...states, unopened })) {
			gauges.database_connections.set({ pool, state }, count);
		}
		gauges.database_waiting.set({ pool }, waitingCount);
	}
}

function setFigures({ time, boards, leases, agents, size, free }: Figures, gauges: Gauges) {
	const named = boundedNames();
	for (const { board_type: name, status, count } of boards) {
		const board_type = named(name);
		for (const status of boardStatuses) gauges.boards.inc({ board_type, status }, 0);
		for (const status of liveStatuses) gauges.leases.inc({ board_type, status }, 0);
		gauges.queue_oldest_seconds.set({ board_type }, 0);
		gauges.boards.inc({ board_type, status }, count);
	}
	// The oldest comes last.
	for (const { board_type: name, status, count, since } of leases) {
		const board_type = named(name);
		gauges.leases.inc({ board_type, status }, count);
		const age = (time - Date.parse(since)) / 1000;
		if (status === 'queued') gauges.queue_oldest_seconds.set({ board_type }, Math.max(0, age));
	}
	for (const [state, count] of Object.entries(agents)) gauges.agents.set({ state }, count);
	gauges.database_bytes.set({ state: 'used' }, size);
	if (free !== undefined) gauges.database_bytes.set({ state: 'free' }, free);
}

const liveStatuses = leaseStatuses.filter((status) => status !== 'ended');

/** So many board types have series of their own. */
const maxTypes = 50;

function boundedNames() {
	const known = new Set<string>();
	return (name: string) => {
		if (known.size < maxTypes) known.add(name);
		return known.has(name) ? name : 'other';
	};
}
