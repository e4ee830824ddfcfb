// Makes the picture of the guide's part about metrics: a lab that is used for four minutes and loses an agent, in
// Prometheus. Run with: node service/scripts/metrics-picture.ts
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { BoardAccess, NoBoardError } from 'board-access';
import { startAgent } from 'board-access-agent';
import { createTestService } from 'board-access-service/testing';
import { metricsToken, startPrometheus } from '../test/support/prometheus.ts';
import { launch } from '../test/web/support/browser.ts';

const seconds = Number(process.argv[2] ?? 240);
const service = await createTestService({
	metricsToken,
	agentTimeout: 8,
	leasesPerAccount: 100,
	rateLimitPerKey: 1e6,
	rateLimitPerAccount: 1e6,
});
const address = await service.listen();
const client = new BoardAccess({ baseUrl: address, apiKey: service.demo.apiKey });
const prometheus = await startPrometheus([address], '4s');

/** Eight boards that only run a command, so that they are prepared at once. */
async function startRack(name: string, boardType: string) {
	const boardIds: string[] = [];
	for (let index = 1; index <= 8; index += 1) {
		boardIds.push((await client.admin.boards.create({ name: `${name}-${index}`, boardType })).id);
	}
	const { token = '' } = await client.admin.agents.create({ name, boardIds });
	const boards = boardIds.map((id) => ({
		id,
		type: 'any',
		driver: 'command' as const,
		between_leases: 'keep' as const,
		reset: ['true'],
	}));
	const start = async () => {
		const agent = await startAgent({ config: { service: address, token, boards } });
		await agent.whenConnected();
		return agent;
	};
	return { start, agent: await start() };
}

const racks = [await startRack('rack-1', 'pico'), await startRack('rack-2', 'uno')];
const endsAt = Date.now() + seconds * 1000;

async function useBoards(boardType: string) {
	while (Date.now() < endsAt) {
		await delay(Math.random() * 8_000);
		try {
			const lease = await client.leases.create({ boardType, waitMs: 60_000 });
			await delay(4_000 + Math.random() * 12_000);
			await lease.release();
		} catch (error) {
			if (!(error instanceof NoBoardError)) console.error(error);
		}
	}
}

const users = ['pico', 'uno'].flatMap((type) => Array.from({ length: 12 }, () => useBoards(type)));
await delay(seconds * 400);
await racks[1]?.agent.stop();
await delay(seconds * 250);
const back = await racks[1]?.start();
await Promise.all(users);

const graphs = [
	'sum by (status) (max by (board_type, status) (board_access_boards{board_type=~"pico|uno"}))',
	'max by (board_type) (board_access_leases{status="queued", board_type=~"pico|uno"})',
	'histogram_quantile(0.95, sum by (le, board_type) (rate(board_access_lease_wait_seconds_bucket[30s])))',
];
const query = graphs.map(
	(expression, index) =>
		`g${index}.expr=${encodeURIComponent(expression)}&g${index}.tab=0&g${index}.range_input=${seconds}s`,
);
const hidden = `nav, .btn, select, .graph_controls, .remove_graph, .nav-tabs, .eval_stats, #add_graph,
	.query-history, label, .prometheus_input_group { display: none !important } body { padding-top: 0 !important }`;
const browser = await launch();
const page = await browser.newPage({ viewport: { width: 900, height: 1500 } });
await page.goto(`${prometheus.url}/classic/graph?${query.join('&')}`);
// Only the expressions and their graphs.
await page.addStyleTag({ content: hidden });
await page.waitForTimeout(5_000);
const path = fileURLToPath(new URL('../../docs/images/metrics.png', import.meta.url));
await page.screenshot({ path, fullPage: true });
await browser.close();
await back?.stop();
await racks[0]?.agent.stop();
await prometheus.close();
await service.close();
console.log(`Written to ${path}`);
process.exit();
