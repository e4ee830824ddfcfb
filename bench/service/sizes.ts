// Whether the cost of a page depends on how much is stored: from memory, and read again.
import type { Pace } from '../pace.ts';
import type { Table } from '../report.ts';
import { number, ratios, shuffled, spreadOf, withSpread } from '../statistics.ts';
import { boardChanger, cpuOfMisses } from './changes.ts';
import { type Candidate, type Loader, watch } from './measure.ts';
import { type Size, seed } from './seed.ts';
import { type Server, startService } from './server.ts';

const path = '/v1/boards?limit=20';
const filter = '&board_type=esp32-s3&status=available';
const few = 20;

interface Page extends Candidate {
	server: Server;
	key: string;
	change: () => void;
}

export async function bySize(
	pace: Pace['service'],
	loader: Loader,
	file: (name: string) => string,
): Promise<Table> {
	const places = [];
	for (const size of sizes(pace)) {
		const database = file(`${size.keys}-${size.boards}.db`);
		const key = await seed(database, size);
		const server = await startService(database);
		places.push({ size, key, server, changer: boardChanger(database) });
	}
	const pages: Page[] = [];
	for (const { size, key, server, changer } of places) {
		const of = `${number(size.keys)} keys, ${number(size.boards)} boards`;
		for (const [kind, query] of await kinds(server.origin, key, size)) {
			const name = `${of}, ${kind}`;
			const common = { servers: [server], connections: 16, change: changer.change };
			pages.push({ name, server, key, path: path + query, ...common });
		}
	}
	const seen = await watch(loader, pages, pace);
	const misses = await watchMisses(pages, pace);
	for (const { server, changer } of places) {
		changer.close();
		await server.stop();
	}
	const hit = (name: string) => (seen.get(name) ?? []).map(({ cpu }) => cpu);
	const miss = (name: string) => misses.get(name) ?? [];
	const base = pages[0]?.name ?? '';
	return {
		title: `The service by what is stored (SQLite, pages of 20; kept in memory with 16 connections, and with a change before every request; × ${base})`,
		head: ['', 'kept: CPU, µs', 'kept, ×', 'changed: CPU, µs', 'changed, ×'],
		rows: pages.map(({ name }) => [
			name,
			number(spreadOf(hit(name)).median),
			withSpread(ratios(hit(name), hit(base))),
			number(spreadOf(miss(name)).median),
			withSpread(ratios(miss(name), miss(base))),
		]),
	};
}

async function watchMisses(pages: readonly Page[], { rounds, misses }: Pace['service']) {
	const seen = new Map<string, number[]>(pages.map(({ name }) => [name, []]));
	for (const page of pages) await cpuOfMisses(page.change, { ...page, requests: misses }); // warm
	for (let round = 0; round < rounds; round += 1) {
		for (const page of shuffled(pages)) {
			seen.get(page.name)?.push(await cpuOfMisses(page.change, { ...page, requests: misses }));
		}
	}
	return seen;
}

function sizes({ keys, boards }: Pace['service']): Size[] {
	return [
		...keys.map((count) => ({ keys: count, boards: few })),
		...boards.slice(1).map((count) => ({ keys: keys[0] ?? few, boards: count })),
	];
}

/** The pages to request at a size, with the rest of their query. */
async function kinds(origin: string, key: string, { boards }: Size) {
	if (boards === few) return [['first page', '']] as const;
	return [
		['first page', ''],
		['page halfway down', await halfWay(origin, key, boards)],
		['filtered page', filter],
	] as const;
}

async function halfWay(origin: string, key: string, boards: number) {
	let cursor = '';
	for (let seen = 0; seen < boards / 2; seen += 200) {
		const response = await fetch(`${origin}/v1/boards?limit=200${cursor}`, {
			headers: { authorization: `Bearer ${key}` },
		});
		const { next_cursor } = (await response.json()) as { next_cursor: string }; // more pages follow
		cursor = `&cursor=${encodeURIComponent(next_cursor)}`;
	}
	return cursor;
}
