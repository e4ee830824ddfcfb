// A real board: driven by tools, with a console on a serial or TCP port.
import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import type { LineSettings } from 'board-access-contract';
import { messageOf } from '../errors.ts';
import {
	type CommandSettings,
	type Context,
	carryOut,
	pause,
	quiet,
	run,
	settleTime,
} from './carry-out.ts';
import { clearBoard } from './clear.ts';
import { createDebugPort } from './debug/server.ts';
import type { BoardAction, BoardWork, ConsoleEvents, Hardware } from './hardware.ts';
import { type BoardCommands, fillIn } from './presets.ts';
import { needsPort, restartBy, restartOf, showStart } from './restart.ts';
import { endSurvivors, removeFolders } from './survivors.ts';

const usedElsewhere = 'The debugger was detached, because the board is used';

export function createCommandBoard(settings: CommandSettings): Hardware {
	const { console: boardConsole, commands } = settings;
	const power = commands.power_on !== undefined && commands.power_off !== undefined;
	const debug = settings.debug && createDebugPort({ ...settings, server: settings.debug });
	let events: ConsoleEvents | undefined;

	// Before the permit, another agent may still use them.
	const tidy = () => removeFolders(settings.mark);
	settings.permit().then(tidy, () => {});

	const openConsole = () => {
		if (events) boardConsole?.open(events);
	};
	const carryOutBesideConsole = async (work: BoardWork, context: Context) => {
		if (!needsPort(work.action, settings)) return carryOut(settings, work, context);
		try {
			await boardConsole?.close();
			return await carryOut(settings, work, quiet(context));
		} finally {
			context.outputBegins();
			openConsole();
		}
	};

	return {
		actions: supportedActions(commands),
		hasConsole: boardConsole !== undefined,
		betweenLeases: settings.between_leases,
		memory: settings.flash,
		ports: settings.ports,
		...(boardConsole && {
			async setLine(line: LineSettings) {
				await settings.permit();
				return boardConsole.set(line);
			},
		}),
		debug,
		async open(leaseEvents) {
			await endSurvivors(settings.mark);
			events = leaseEvents;
			boardConsole?.forgetSettings();
			if (power) await run(settings, 'power_on');
			openConsole();
			// So that what the port has buffered arrives before the first action.
			await boardConsole?.connected().catch(() => {});
			if (boardConsole) await pause(settleTime);
		},
		async perform(work, signal, outputBegins = () => {}, onProgress = () => {}) {
			// The tools of the other actions need the probe.
			if (!work.action.startsWith('power_')) await debug?.end(`${usedElsewhere}: ${work.action}`);
			const context = { signal, outputBegins, onProgress };
			const restart = restartOf(settings);
			if (work.action === 'reset' && restart === 'pulse') {
				return restartBy(restart, settings, context);
			}
			if (work.action !== 'flash' || boardConsole === undefined || restart === undefined) {
				return carryOutBesideConsole(work, context);
			}
			const message = await carryOutBesideConsole(work, quiet(context));
			const problem = await showStart(restart, settings, context);
			return [message, problem].filter(Boolean).join('\n');
		},
		async write(bytes, signal) {
			await settings.permit();
			signal?.throwIfAborted();
			await boardConsole?.write(bytes);
		},
		async close() {
			events = undefined;
			try {
				await debug?.end('The board was closed');
				await boardConsole?.close();
			} finally {
				if (power) await run(settings, 'power_off');
			}
		},
		async clear() {
			await endSurvivors(settings.mark);
			await clearBoard(settings);
		},
		check: () => check(settings),
	};
}

function supportedActions(commands: BoardCommands): BoardAction[] {
	const names = ['flash', 'erase', 'reset', 'power_on', 'power_off'] as const;
	const actions: BoardAction[] = names.filter((name) => commands[name] !== undefined);
	return commands.power_on && commands.power_off ? [...actions, 'power_cycle'] : actions;
}

/** Checks the tools and the console without using the board. */
async function check(settings: CommandSettings): Promise<string> {
	const { commands, console: boardConsole, debug, values } = settings;
	const used = [...Object.values(commands), debug?.command];
	const tools = new Set(used.flatMap((command = []) => fillIn(command, values)[0] ?? []));
	const checks = [...[...tools].map(findTool), ...(boardConsole ? [boardConsole.check()] : [])];
	const results = await Promise.allSettled(checks);
	const failures = results.flatMap((result) =>
		result.status === 'rejected' ? messageOf(result.reason) : [],
	);
	if (failures.length > 0) throw new Error(failures.join('; '));
	const found = await Promise.all(checks);
	const misses = boardConsole && commands.flash && !restartOf(settings);
	return [...found, ...(misses ? [missesStart] : [])].join('; ');
}

const missesStart =
	'without a reset beside the console, the first output after a flash may be missing';

async function findTool(tool: string): Promise<string> {
	const folders = tool.includes('/') ? [''] : (process.env.PATH ?? '').split(delimiter);
	const looked = folders.map((folder) => access(join(folder, tool), constants.X_OK));
	await Promise.any(looked).catch(() => {
		throw new Error(`${tool} is not installed`);
	});
	return `${tool} is installed`;
}
