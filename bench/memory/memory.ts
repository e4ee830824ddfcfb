// Whether calls leave anything behind in memory.
import { start } from '../child.ts';
import type { Pace } from '../pace.ts';
import type { Section } from '../report/section.ts';
import { number } from '../statistics.ts';
import type { Look, MemoryTask } from './worker.ts';

const firstLook = 10_000;

const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1);

const rowsOf = (name: string, looks: readonly Look[]) =>
	looks.map(({ calls, heap, resident }) => [
		name,
		number(calls),
		megabytes(heap),
		megabytes(resident),
	]);

const lookAt = async (task: MemoryTask) =>
	(await start<Look[]>('memory/worker.ts', task, ['--expose-gc'])).first;

export const memory = async ({ calls, callsOverSocket }: Pace['memory']): Promise<Section> => {
	const inProcess = await lookAt({ calls, firstLook });
	const server = await start<string>('client/server.ts');
	const overSocket = await lookAt({ origin: server.first, calls: callsOverSocket, firstLook });
	server.child.disconnect();
	return {
		name: 'memory',
		title: 'Memory of the client',
		text: [
			'One client, one `AbortSignal` given to every call, lists of 20 records one after the other. The heap is looked at after a full garbage collection.',
		],
		plots: [],
		tables: [
			{
				head: ['answers from', 'calls', 'heap, MB', 'resident, MB'],
				rows: [
					...rowsOf('a function in the process', inProcess),
					...rowsOf('a server over loopback', overSocket),
				],
			},
		],
	};
};
