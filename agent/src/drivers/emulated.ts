// An emulated board. Firmware is untrusted, so each lease has a worker thread of its own.
import { readFile } from 'node:fs/promises';
import { type LineState, usualLine } from 'board-access-contract';
import { isRaised, lineWith } from '../consoles/line.ts';
import { emulatedFlash, emulatedPins, type WorkerSettings } from '../emulators/boards.ts';
import type { DrivenPins } from '../emulators/pins.ts';
import { BoardWorker, maxTask } from './board-worker.ts';
import type { ConsoleEvents, Hardware } from './hardware.ts';

interface EmulatedSettings extends Omit<WorkerSettings, 'bootRom'> {
	/** The path of the file. */
	readonly bootRom: string | undefined;
}

export function createEmulatedBoard(settings: EmulatedSettings): Hardware {
	let worker: BoardWorker | undefined;
	let events: ConsoleEvents | undefined;
	let driven: DrivenPins = {};
	const firstLine = { ...usualLine, resets: settings.emulator === 'arduino-uno' };
	let line: LineState = firstLine;

	const started = async () => {
		if (worker === undefined || worker.failure !== undefined) {
			worker = new BoardWorker(await workerSettings(settings), events);
			worker.post('drive', driven);
			events?.connected();
		}
		return worker;
	};

	const board: Hardware = {
		actions: ['flash', 'erase', 'reset', 'power_on', 'power_off', 'power_cycle'],
		hasConsole: true,
		betweenLeases: 'erase',
		memory: emulatedFlash[settings.emulator],
		pins: {
			...emulatedPins[settings.emulator],
			sample: async () => worker?.call('sample').catch(() => undefined),
			rest: () => worker?.post('rest'),
			drive(pins) {
				driven = pins;
				worker?.post('drive', pins);
			},
		},
		debug: {
			async open(portEvents) {
				if (worker === undefined) throw new Error('The board is not open');
				return worker.attach(portEvents);
			},
		},
		async open(leaseEvents) {
			events = leaseEvents;
			line = firstLine;
			await started();
		},
		async setLine(settings) {
			const before = line;
			line = lineWith(before, settings);
			if (isRaised(before, line)) worker?.post('reset');
			return line;
		},
		async perform(work, signal, outputBegins = () => {}) {
			return (await started()).perform(work, signal, outputBegins);
		},
		async write(bytes, signal, hurry = signal) {
			await worker?.write(bytes, hurry);
		},
		async close() {
			events = undefined;
			driven = {};
			await worker?.stop();
			worker = undefined;
		},
		async clear() {}, // each lease has a new emulator
		async check() {
			try {
				await board.perform({ action: 'reset' }, AbortSignal.timeout(maxTask));
				return 'the emulator starts';
			} finally {
				await board.close();
			}
		},
	};
	return board;
}

async function workerSettings({ bootRom: file, ...settings }: EmulatedSettings) {
	if (file === undefined) return settings;
	const bootRom = new Uint8Array(await readFile(file));
	if (bootRom.length > 16 * 1024 || bootRom.length % 4 !== 0) {
		throw new Error(`${file} is not a boot ROM: it has ${bootRom.length} bytes`);
	}
	return { ...settings, bootRom };
}
