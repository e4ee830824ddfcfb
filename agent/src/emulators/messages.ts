// What the agent and the worker of an emulated board send each other.
import type { Segment } from 'board-access-contract/firmware';
import type { EmulatorName } from './boards.ts';

export interface WorkerSettings {
	readonly emulator: EmulatorName;
	/** The share of a processor core that the board may use. */
	readonly cpuShare: number;
	readonly bootRom?: Uint8Array;
}

export type BoardTask =
	| { readonly action: 'flash'; readonly segments: readonly Segment[] }
	| { readonly action: 'erase' | 'reset' | 'power_on' | 'power_off' | 'power_cycle' };

export type ToWorker =
	| { readonly type: 'task'; readonly id: number; readonly task: BoardTask }
	/** Done once the board has taken the bytes. */
	| { readonly type: 'input'; readonly id: number; readonly bytes: Uint8Array }
	/** Input that the board has not taken fails. */
	| { readonly type: 'withdraw'; readonly id: number };

export type FromWorker =
	| { readonly type: 'done'; readonly id: number; readonly message: string }
	| { readonly type: 'failed'; readonly id: number; readonly message: string }
	| { readonly type: 'output'; readonly bytes: Uint8Array; readonly dropped: number }
	| { readonly type: 'crashed'; readonly message: string };
