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
	| { readonly type: 'input'; readonly bytes: Uint8Array };

export type FromWorker =
	| { readonly type: 'done'; readonly id: number; readonly message: string }
	| { readonly type: 'failed'; readonly id: number; readonly message: string }
	| { readonly type: 'output'; readonly bytes: Uint8Array; readonly dropped: number }
	| { readonly type: 'crashed'; readonly message: string };
