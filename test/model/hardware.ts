// Simulated boards. They record everything that happens to them, with the fence of the agent: the
// most reliable record of what the three parts did.
import type { Random } from './random.ts';
import { between, pick } from './random.ts';
import type { Process, SimulatedEvent } from './simulation.ts';

interface ConsoleEvents {
	output(bytes: Uint8Array): void;
	lost(reason: string): void;
	connected(): void;
}

/** How an agent uses a board; the interface of the agent's own drivers. */
export interface Hardware {
	readonly actions: readonly string[];
	readonly hasConsole: boolean;
	readonly betweenLeases: 'erase';
	readonly pins?: {
		readonly names: string[];
		readonly analog: string[];
		readonly volts: number;
		sample(): Promise<undefined>;
		rest(): void;
		drive(pins: Record<string, number>): void;
	};
	open(events: ConsoleEvents): Promise<void>;
	perform(
		work: { action: string; bytes?: Uint8Array },
		signal: AbortSignal,
		outputBegins?: () => void,
	): Promise<string>;
	write(bytes: Uint8Array): Promise<void>;
	close(): Promise<void>;
	clear(): Promise<void>;
	check(): Promise<string>;
}

/** What is wrong with a board for once. */
export type HardwareFault =
	| 'fails'
	| 'slow'
	| 'very slow'
	| 'does not open'
	| 'floods'
	/** Prints nothing until the next action. */
	| 'silent'
	/** Its port vanishes after the action, and comes back after some time. */
	| 'port gone';

/** From an agent's taking of a board until it gives it back. */
export interface BoardSession {
	readonly number: number;
	readonly board: string;
	readonly agent: Process;
	readonly fence: number;
	readonly openedAt: number;
	closed: boolean;
	/** All that was printed. */
	readonly output: Uint8Array[];
	/** How much had been printed when it was opened, and when each action was done. */
	readonly starts: number[];
	/** What drives its pins from outside. */
	driven: Readonly<Record<string, number>>;
	/** The last line before the output of the last action. */
	actedAtLine: number;
	printedAt: number;
	/** The start of the firmware that prints now. */
	boot: number;
	/** What was typed and is not a whole unit yet. */
	input: string;
}

export interface Witness {
	opened(session: BoardSession): void;
	closed(session: BoardSession): void;
	acted(session: BoardSession, action: string, firmware: string | undefined): void;
	/** A part of the input that the user wrote as one unit. */
	typed(session: BoardSession, unit: string): void;
	failed(session: BoardSession, action: string): void;
	/** Something is wrong with the board. */
	faulty(session: BoardSession): void;
	notOpened(board: string, fence: number): void;
	/** The agent drives the pins as the session has it now. */
	driven(session: BoardSession): void;
	violated(rule: string, what: string): void;
}

export interface BoardOptions {
	id: string;
	actions: readonly string[];
	random: Random;
	witness: Witness;
	/** The number of its first session, from which witnesses know it. */
	firstSession: number;
	/** What is wrong with the n-th use of the board. */
	faultOf(use: number): HardwareFault | undefined;
}

const durations: Readonly<Record<string, [number, number]>> = {
	reset: [20, 300],
	power_on: [50, 400],
	power_off: [50, 400],
	power_cycle: [200, 1_500],
	erase: [300, 3_000],
	flash: [500, 12_000],
};

export const pinNames = ['D2', 'D3'] as const;

/** Lines of a flood, each of so many bytes: 100,000 bytes a second, or more than the service keeps. */
const floods = [20, 60, 60, 400];
const floodLine = 5_000;

/** A board on a desk. It outlives the agents that drive it. */
export class SimulatedBoard {
	readonly id: string;
	readonly #options: BoardOptions;
	session: BoardSession | undefined;
	/** Counts the lines that the board has printed, ever. */
	line = 0;
	#uses = 0;
	#sessions: number;
	#boots = 0;
	/** Whether a lease has used it since it was erased, by whichever agent. */
	#isUsed = false;
	#next: SimulatedEvent | undefined;
	/** Whether it prints more than an agent passes on, from its last action on. */
	#floods = false;
	#isSilent = false;
	#isGone = false;
	#isGoing = false;
	/** The firmware that was flashed last, and how many lines it has printed. */
	#firmware = '';
	#lines = 0;

	constructor(options: BoardOptions) {
		this.id = options.id;
		this.#options = options;
		this.#sessions = options.firstSession;
	}

	get actions() {
		return this.#options.actions;
	}

	/** The board as one agent drives it; `fenceOf` is the agent's own memory. */
	drivenBy(agent: Process, fenceOf: () => number): Hardware {
		const { witness } = this.#options;
		let events: ConsoleEvents | undefined;
		const output = (bytes: Uint8Array) => {
			if (this.#isGone) return;
			session?.output.push(bytes);
			events?.output(bytes);
		};
		let session: BoardSession | undefined;
		let wasTried = false;
		return {
			actions: this.#options.actions,
			hasConsole: true,
			betweenLeases: 'erase',
			pins: {
				names: [...pinNames],
				analog: [],
				volts: 5,
				sample: async () => undefined,
				rest() {},
				drive: (pins) => {
					const own = this.#required(session, 'pins');
					own.driven = { ...pins };
					witness.driven(own);
				},
			},
			open: async (given) => {
				if (this.session) {
					witness.violated(
						'one holder',
						`${this.id} is opened while session ${this.session.number} has it open`,
					);
				}
				if (this.#fault() === 'does not open') {
					witness.notOpened(this.id, fenceOf());
					wasTried = true;
					throw new Error('Device or resource busy');
				}
				if (this.#isUsed) {
					witness.violated(
						'cleared before used',
						`${this.id} is opened with what a lease has left`,
					);
				}
				this.#isUsed = true;
				events = given;
				events.connected();
				session = {
					number: this.#sessions++,
					board: this.id,
					agent,
					fence: fenceOf(),
					openedAt: agent.simulation.now,
					closed: false,
					output: [],
					starts: [0],
					driven: {},
					actedAtLine: 0,
					printedAt: 0,
					boot: ++this.#boots,
					input: '',
				};
				this.session = session;
				[this.#isSilent, this.#isGone, this.#lines] = [false, false, 0];
				witness.opened(session);
				this.#print(session, output);
			},
			perform: async (work, signal, outputBegins = () => {}) => {
				const own = this.#required(session, work.action);
				const message = await this.#perform(own, work, signal);
				if (this.#isGoing && events) this.#losePort(own, events);
				outputBegins();
				own.starts.push(own.output.reduce((sum, { length }) => sum + length, 0));
				own.actedAtLine = this.line;
				own.boot = ++this.#boots;
				this.#lines = 0;
				if (!this.#isSilent) this.#print(own, output);
				return message;
			},
			write: async (bytes) => this.#type(this.#required(session, 'input'), bytes, output),
			close: async () => {
				const isLeftOver = wasTried;
				wasTried = false;
				if (!session || session.closed) {
					// What could not be opened may be half open.
					if (isLeftOver) return;
					witness.violated('opened before closed', `${this.id} is closed and was not open`);
					return;
				}
				this.#close(session);
			},
			clear: async () => {
				await pause(agent, 500, new AbortController().signal);
				this.#isUsed = false;
			},
			check: async () => 'works',
		};
	}

	/** The process that had it open has died. */
	abandoned(agent: Process) {
		if (this.session?.agent === agent) this.#close(this.session);
	}

	#close(session: BoardSession) {
		session.closed = true;
		if (this.#next) this.#next.run = undefined;
		if (this.session === session) this.session = undefined;
		this.#options.witness.closed(session);
	}

	#required(session: BoardSession | undefined, what: string) {
		if (session && !session.closed) return session;
		this.#options.witness.violated(
			'opened before used',
			`${this.id}: ${what} without an open session`,
		);
		throw new Error('The board is not open');
	}

	#fault() {
		return this.#options.faultOf(this.#uses++);
	}

	async #perform(
		session: BoardSession,
		{ action, bytes }: { action: string; bytes?: Uint8Array },
		signal: AbortSignal,
	) {
		const { witness, random } = this.#options;
		const fault = this.#fault();
		const [least, most] = durations[action] ?? [10, 100];
		const extra = fault === 'slow' ? 40_000 : fault === 'very slow' ? 140_000 : 0;
		signal.throwIfAborted();
		witness.acted(session, action, bytes && firmwareOf(bytes));
		if (fault) witness.faulty(session);
		if (this.#next) this.#next.run = undefined;
		await pause(session.agent, between(random, least, most) + extra, signal);
		if (bytes) this.#firmware = firmwareOf(bytes) ?? '';
		this.#floods = fault === 'floods';
		this.#isSilent = fault === 'silent';
		this.#isGoing = fault === 'port gone';
		if (fault === 'fails') {
			witness.failed(session, action);
			throw new Error('The tool failed');
		}
		return 'done';
	}

	#losePort(session: BoardSession, events: ConsoleEvents) {
		const { agent } = session;
		const { random } = this.#options;
		this.#isGoing = false;
		agent.after(between(random, 100, 10_000), () => {
			if (session.closed) return;
			this.#isGone = true;
			events.lost('No such device');
			agent.after(between(random, 1_000, 40_000), () => {
				if (session.closed) return;
				this.#isGone = false;
				events.connected();
			});
		});
	}

	/** Firmware of a test says what it is to say, after some lines. */
	get #verdict() {
		this.#lines += 1;
		const [, label, does] = /^(.*)\/(passes|fails)$/.exec(this.#firmware) ?? [];
		if (does === undefined || this.#lines < 3) return '';
		return ` ${does === 'passes' ? 'PASS' : 'FAIL'} ${label}`;
	}

	/** Lines with a number that only grows, between bytes that are no text. */
	#print(session: BoardSession, output: (bytes: Uint8Array) => void) {
		if (this.#next) this.#next.run = undefined;
		const { random } = this.#options;
		let flood = this.#floods ? pick(random, floods) : 0;
		const print = () => {
			if (session.closed) return;
			const isFlood = flood-- > 0;
			if (!this.#isGone)
				output(this.#line(session, isFlood ? ` ${'.'.repeat(floodLine)}` : this.#verdict));
			this.#next = session.agent.after(isFlood ? 50 : between(random, 300, 12_000), print);
		};
		this.#next = session.agent.after(between(random, 5, 80), print);
	}

	#line(session: BoardSession, text: string) {
		this.line += 1;
		session.printedAt = session.agent.simulation.now;
		const { random } = this.#options;
		const noise = random() < 0.3 ? Buffer.alloc(between(random, 1, 12), 0xff) : Buffer.alloc(0);
		const line = `<${this.id}:${session.number}:${session.boot}#${this.line}${text}>é\n`;
		return new Uint8Array(Buffer.concat([noise, Buffer.from(line)]));
	}

	#type(session: BoardSession, bytes: Uint8Array, output: (bytes: Uint8Array) => void) {
		session.input += Buffer.from(bytes).toString('latin1');
		const units = session.input.split('\n');
		session.input = units.pop() ?? '';
		for (const unit of units) this.#options.witness.typed(session, unit.replace(/\.+$/, ''));
		if (units.length === 0 || this.#isSilent || this.#isGone) return;
		output(this.#line(session, ` echo ${units.length}`));
	}
}

/** A firmware file of this name, as Intel HEX. */
export function firmwareNamed(name: string): Uint8Array<ArrayBuffer> {
	const bytes = Buffer.from(`firmware ${name};`);
	const records: string[] = [];
	for (let start = 0; start < bytes.length; start += 16) {
		const data = bytes.subarray(start, start + 16);
		const record = Buffer.from([data.length, start >> 8, start & 0xff, 0, ...data]);
		const sum = record.reduce((total, byte) => total + byte, 0);
		records.push(
			`:${record.toString('hex')}${((256 - (sum & 0xff)) & 0xff).toString(16).padStart(2, '0')}`,
		);
	}
	return new Uint8Array(Buffer.from(`${[...records, ':00000001ff'].join('\n').toUpperCase()}\n`));
}

/** The name that is in a firmware file of a history. */
function firmwareOf(file: Uint8Array) {
	const records = Buffer.from(file).toString('latin1').split('\n');
	const data = records.map((record) => record.slice(9, -2)).join('');
	return /firmware (\S+);/.exec(Buffer.from(data, 'hex').toString('latin1'))?.[1];
}

function pause(process: Process, milliseconds: number, signal: AbortSignal) {
	return new Promise<void>((resolve, reject) => {
		const event = process.after(milliseconds, () => {
			signal.removeEventListener('abort', abort);
			resolve();
		});
		const abort = () => {
			event.run = undefined;
			reject(signal.reason);
		};
		signal.addEventListener('abort', abort, { once: true });
	});
}
