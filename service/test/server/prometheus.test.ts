// @module-tag long
// The alerts and the dashboard that are shipped: their form, and their expressions in a real Prometheus.
import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { describe, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { fromJSONSchema } from 'zod';
import { migratedDatabase } from '../../../core/test/support/databases.ts';
import dashboard from '../../deploy/dashboard.json' with { type: 'json' };
import { startServer } from '../../src/server.ts';
import { onPostgres } from '../support/backends.ts';
import { openBench } from '../support/bench.ts';
import grafanaSchema from '../support/grafana-schema.json' with { type: 'json' };
import { alertsFile, hasPrometheus, metricsToken, startPrometheus } from '../support/prometheus.ts';
import { deployFile } from '../support/proxies.ts';
import { connectAgent } from '../support/scripted-agent.ts';

const alertTests = fileURLToPath(new URL('./alerts.yaml', import.meta.url));
const { rules } = parse(await deployFile('alerts.yaml')).groups[0];
const alertNames: string[] = rules.map(({ alert }: { alert: string }) => alert);

const panels = dashboard.panels.filter(({ type }) => type === 'timeseries');
const dashboardQueries = panels.flatMap(({ title, targets = [] }) =>
	targets.map(({ expr }) => [title, expr] as const),
);

function promtool(...words: string[]) {
	const { status, stdout, stderr } = spawnSync('promtool', words, { encoding: 'utf8' });
	return { status, output: stdout + stderr };
}

describe('alerts.yaml', () => {
	test.skipIf(!hasPrometheus)('is valid for Prometheus', () => {
		expect(promtool('check', 'rules', alertsFile)).toMatchObject({
			status: 0,
			output: expect.stringContaining(`${alertNames.length} rules found`),
		});
	});

	test.skipIf(!hasPrometheus)('fires and does not fire as its tests say', () => {
		expect(promtool('test', 'rules', alertTests)).toMatchObject({ status: 0 });
	});

	test('has a test of each alert that fires, and one that does not', async () => {
		const { tests } = parse(await readFile(alertTests, 'utf8'));
		const tested = tests.map(({ alert_rule_test: [{ alertname, exp_alerts }] }: AlertTest) => [
			alertname,
			exp_alerts.length,
		]);
		expect(tested.sort()).toEqual(
			alertNames
				.flatMap((name) => [
					[name, 0],
					[name, 1],
				])
				.sort(),
		);
	});

	test('links to a part of the guide for each alert, in its order', async () => {
		const guide = await deployFile('../../docs/guides/hosting.md');
		const headings = [...guide.matchAll(/^### (BoardAccess\w+)$/gm)].map(([, name]) => name);
		expect(headings).toEqual(alertNames);
		const links = rules.map(({ annotations }: Rule) => annotations.runbook_url.split('#')[1]);
		expect(links).toEqual(alertNames.map((name) => name.toLowerCase()));
	});
});

interface AlertTest {
	alert_rule_test: [{ alertname: string; exp_alerts: unknown[] }];
}

interface Rule {
	annotations: { runbook_url: string };
}

describe('dashboard.json', () => {
	const schemaOf = (name: keyof typeof grafanaSchema.definitions) =>
		fromJSONSchema({
			...(grafanaSchema as object), // TypeScript reads the types of the schema too narrowly
			$ref: `#/definitions/${name}`,
		});

	test('is valid according to the schemas of Grafana', () => {
		expect(schemaOf('Dashboard').safeParse(dashboard).error).toBeUndefined();
		const [options, fields] = [schemaOf('timeseriesOptions'), schemaOf('timeseriesFieldConfig')];
		const query = schemaOf('prometheusDataquery');
		for (const panel of panels) {
			expect(options.safeParse(panel.options).error).toBeUndefined();
			expect(fields.safeParse(panel.fieldConfig?.defaults.custom).error).toBeUndefined();
			for (const target of panel.targets ?? []) {
				expect(query.safeParse(target).error).toBeUndefined();
			}
		}
	});

	test.each([
		['"schemaVersion":', '"schemaVersions":'],
		['"gridPos":{"h":8', '"gridPos":{"height":8'],
		['"refresh":"30s"', '"refresh":30'],
	])('is invalid with a mistake: %s as %s', (right, wrong) => {
		const broken = JSON.parse(JSON.stringify(dashboard).replace(right, wrong));
		expect(broken).not.toEqual(dashboard);
		expect(schemaOf('Dashboard').safeParse(broken).success).toBe(false);
	});

	test('has panels that do not overlap', () => {
		const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
			Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)} ${y + Math.floor(cell / w)}`),
		);
		expect(new Set(cells).size).toBe(cells.length);
		expect(dashboard.panels.every(({ gridPos: { x, w } }) => x + w <= 24)).toBe(true);
		expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
	});
});

/** A service on each database, with everything in it that metrics show. */
async function openLab() {
	const limits = { metricsToken, rateLimitConsoleInput: 1 };
	const bench = await openBench(onPostgres, { boardType: 'metered', ...limits });
	const database = await migratedDatabase('SQLite');
	const small = await startServer({ database, metricsToken, host: '127.0.0.1', port: 0 });
	const prometheus = await startPrometheus([bench.baseUrl, small.address]);
	const [board = ''] = bench.boardIds;
	const agent = await connectAgent(bench.sendAsAgent, { driven: { [board]: ['reset'] } });
	const { user, services } = bench;
	const endStep = async (status: string) => {
		const action = await vi.waitFor(() => {
			const action = agent.lease(board)?.actions[0];
			if (!action) throw new Error('There is no step yet');
			return action;
		});
		const report = { fence: agent.fence(board), status, cause: 'timeout' };
		await agent.report(action.id, report);
		await vi.waitFor(() => expect(agent.lease(board)?.actions[0]?.id).not.toBe(action.id));
	};
	return {
		prometheus,
		agent,
		/** Leases wait, fail, are used and end; requests are rejected, and fail. */
		async use() {
			const held = await user.lease({ board_id: board });
			const waiting = await user.lease({ board_id: board, wait_seconds: 600 });
			await endStep('failed');
			await endStep('done');
			await user.waitFor(held.id, 'active');
			await agent.write(held.id, { fence: agent.fence(board), offset: 0, data: 'hello' });
			await user.type(held.id, 'a');
			await user.type(held.id, 'b');
			const lost = services.database.query;
			await sql`drop index boards_sorted`.execute(lost);
			await vi.waitFor(async () => expect((await bench.send('/readyz')).status).toBe(503), 5_000);
			await sql`create index boards_sorted on boards (name_key, id)`.execute(lost);
			return async () => {
				await user.release(waiting.id);
				await user.release(held.id);
			};
		},
		async close() {
			await prometheus.close();
			await agent.cut();
			await small.stop();
			await bench.close();
		},
	};
}

test.skipIf(!hasPrometheus)('a real Prometheus has data for every expression', async () => {
	const { prometheus, use, close } = await openLab();
	try {
		const release = await use();
		await expect
			.poll(() => prometheus.query('board_access_failures_total'), { timeout: 30_000 })
			.not.toEqual([]);
		await release();
		const again = await use();
		const variables: Record<string, string> = { $__rate_interval: '1m', $job: 'board-access' };
		const onDashboard = dashboardQueries.map(([title, expression]) => [
			title,
			expression.replaceAll(/\$\w+/g, (name) => variables[name] ?? name),
		]);
		// What is compared, whatever its value.
		const inAlerts = rules.map(({ alert, expr }: { alert: string; expr: string }) => [
			alert,
			expr.replace(/ [<>] [\d.]+$/, ''),
		]);
		for (const [name, expression] of [...onDashboard, ...inAlerts]) {
			await expect
				.poll(() => prometheus.query(expression), { timeout: 30_000, message: name })
				.toSatisfy((values: number[]) => values.some(Number.isFinite));
		}
		expect(await prometheus.query('board_access_leases{status="active"} == 1')).toEqual([1]);
		expect(await prometheus.alerts()).not.toContain('BoardAccessDown');
		await again();
	} finally {
		await close();
	}
});
