// Whether requests leave anything behind in memory.
import { start } from '../child.ts';
import type { Pace } from '../pace.ts';
import type { Section } from '../report/section.ts';
import { number } from '../statistics.ts';
import type { Look, MemoryTask } from './worker.ts';

const firstLook = 10_000;

export async function memory({ calls, callsOverSocket }: Pace['memory']): Promise<Section> {
	const inProcess = await lookAt({ calls, firstLook });
	const server = await start<string>('client/server.ts');
	const overSocket = await lookAt({ origin: server.first, calls: callsOverSocket, firstLook });
	server.child.disconnect();
	return {
		name: 'memory',
		title: 'Memory of the client',
		text: [
			'One client, one `AbortSignal` for every request, lists of 20 records one after the other. The heap is measured after a full garbage collection.',
		],
		plots: [],
		tables: [
			{
				head: ['responses from', 'requests', 'heap, MB', 'resident, MB'],
				rows: [
					...rowsOf('a function in the process', inProcess),
					...rowsOf('a server over loopback', overSocket),
				],
			},
		],
	};
}

function megabytes(bytes: number) {
	return (bytes / 1e6).toFixed(1);
}

function rowsOf(name: string, looks: readonly Look[]) {
	return looks.map(({ calls, heap, resident }) => [
		name,
		number(calls),
		megabytes(heap),
		megabytes(resident),
	]);
}

async function lookAt(task: MemoryTask) {
	return (await start<Look[]>('memory/worker.ts', task, ['--expose-gc'])).first;
}
