// What a monitoring system reads: the process, and how long requests take. No identifiers.
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';

export function createMetrics() {
	const registry = new Registry();
	const duration = new Histogram({
		name: 'board_access_request_duration_seconds',
		help: 'Time from the request to its response',
		labelNames: ['method', 'route', 'status'],
		buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
		registers: [registry],
	});
	return {
		contentType: registry.contentType,
		/** Adds the figures of the process. They are collected until it ends, so the program asks for them. */
		addProcess: () => collectDefaultMetrics({ register: registry }),
		text: () => registry.metrics(),
		observe: (labels: { method: string; route: string; status: number }, seconds: number) =>
			duration.observe(labels, seconds),
	};
}

export type Metrics = ReturnType<typeof createMetrics>;
