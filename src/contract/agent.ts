// The link between agent and service on the wire, and the pins of boards.
import * as z from 'zod/mini';
import { channelKinds, portName } from './channel/input.ts';
import { boardActions, consoleStatuses } from './lease.ts';

/** The highest fence that the service sends and accepts. */
export const maxFence = 2 ** 31 - 1;

/** Where bytes of a console are: as many digits as an offset in a query string has. */
const consolePlace = z.int().check(z.minimum(0), z.maximum(999_999_999_999));
const count = z.int32().check(z.minimum(0));
const word = z.int().check(z.minimum(0), z.maximum(0xffff_ffff));
/** In milliseconds, negative once it is over: longer than any lease lasts, and no longer than a timer does. */
const time = z.number().check(z.minimum(-(2 ** 31)), z.maximum(2 ** 31 - 1));

/** In milliseconds; so that the start is a date. */
const maxUptime = 100 * 366 * 86_400_000;

/** Leaves room above an agent's fence, so that no agent can use up the fences of a board. */
const highestRaise = 1_000_000_000;

/** So that the boards fit into the request with which an agent connects, with all that it knows of each. */
export const maxBoards = z.maxLength(
	2_000,
	'must be at most 2,000 boards; create another agent for the others',
);

/** The flash of a board, and the processor and the chip family that firmware has to be for. */
export const boardMemory = z.object({
	start: word,
	size: word,
	machine: z.optional(word),
	family: z.optional(word),
});

/**
 * What an agent does with a board between two leases: it erases the flash, or only takes the power away, or
 * leaves the board as it is.
 */
export const betweenLeases = ['erase', 'power', 'keep'] as const;

/** How the message of a step begins that failed before it, because the flash is not erased. */
export const notErased = 'The board cannot be erased after its last lease';

/** How a board has failed, if the agent can tell. */
export const boardFailures = ['no_device', 'verify_failed', 'timeout', 'not_erased'] as const;

export const pinModes = ['in', 'pull_up', 'pull_down', 'out', 'pwm', 'analog'] as const;

const pinName = z.string().check(z.regex(/^[A-Z][A-Z0-9]{0,7}$/));
const share = z.number().check(z.minimum(0), z.maximum(1));
const voltage = z.number().check(z.minimum(0), z.maximum(50));

/** The pins that can be driven from outside, and the voltage of a high one. */
export const boardPins = z.object({
	names: z.array(pinName).check(z.maxLength(100)),
	/** Which of them measure a voltage. */
	analog: z.array(pinName).check(z.maxLength(100)),
	volts: voltage,
});

/** What a board shows from one sample to the next. */
export const pinSample = z.object({
	power: z.boolean(),
	/** For which share of the time each LED was on. */
	leds: z.record(pinName, share),
	/** The pins that the firmware uses, or that are driven from outside. */
	pins: z.record(
		pinName,
		z.object({
			mode: z.enum(pinModes),
			/** For which share of the time it was high. */
			high: share,
			/** How often it rose per second, if it did so regularly. */
			hz: z.optional(z.number().check(z.minimum(0), z.maximum(1e9))),
			/** The voltage of an analog pin. */
			volts: z.optional(voltage),
		}),
	),
});

/** The most output of a console that an agent sends at once. */
export const maxConsoleReport = 64 * 1024;

/** Drives a pin of a board from outside. */
export const pinInput = z.strictObject({
	pin: pinName,
	/** Null lets the pin go. */
	volts: z.nullable(voltage),
});

/** The voltages by which pins are driven from outside; all others are let go. */
export const drivenPins = z.record(pinName, voltage);

export const leasePins = z.object({ driven: z.record(z.string(), voltage) });

/** A board that the agent drives, as it says when it connects. */
export const drivenBoard = z.object({
	actions: z.array(z.enum(boardActions)),
	console: z.boolean(),
	between_leases: z._default(z.enum(betweenLeases), 'keep'),
	/** What firmware has to fit, where the agent knows it. */
	memory: z.optional(boardMemory),
	/** Absent where the agent knows nothing of the pins. */
	pins: z.optional(boardPins),
	/** The names of its serial ports besides that of the console, and whether it has a debugger. */
	ports: z.optional(z.array(portName).check(z.maxLength(20))),
	debug: z.optional(z.boolean()),
	/** Whether the agent accepts no new lease of the board. */
	draining: z.optional(z.boolean()),
	/** The highest fence of the board that the agent has seen. */
	fence: z.optional(
		z.pipe(
			z.int().check(z.minimum(0), z.maximum(maxFence)),
			z.transform((fence) => Math.min(fence, highestRaise)),
		),
	),
	/** Whether the lease of that fence has ended for the agent, whatever the service has of it. */
	released: z.optional(z.boolean()),
	/** The lease that it serves under that fence, and how much the service must know of it at least. */
	lease: z.optional(
		z.object({
			id: z.string(),
			/** Up to where the service has confirmed the output. */
			output: consolePlace,
			/** Up to where the agent has taken the input. */
			input: consolePlace,
			/** Up to where the service has confirmed that the input was written. */
			taken: consolePlace,
			/** The last change of the console that the service has confirmed, or 0. */
			console_change: count,
		}),
	),
});

/** Differs with each start of the agent. */
const bootId = z.string().check(z.regex(/^[\w-]{1,64}$/, 'must be a UUID'));

/** The agent stops: its boards go offline, and their leases end. */
export const agentStop = z.object({ boot_id: bootId });

/** How an agent connects. */
export const agentConnection = z.object({
	boot_id: bootId,
	/** The version of the agent, on which host it runs, and for how long. Older agents do not say. */
	version: z.optional(z.string().check(z.maxLength(50))),
	host: z.optional(z.string().check(z.maxLength(255))),
	uptime_ms: z.optional(z.int().check(z.minimum(0), z.maximum(maxUptime))),
	/** What it drives, by the identifier of the board. */
	boards: z.record(z.string(), drivenBoard),
});

/** One action that the agent has to carry out, in the order of the list. */
export const agentAction = z.object({
	id: z.string(),
	action: z.enum(boardActions),
	/** The file to flash; null for every other action. */
	file_id: z.nullable(z.string()),
	flash_offset: z.nullable(z.string()),
});

/**
 * Console input, from an offset on. The agent drops what it has written to the board already. An offset
 * beyond that means that the bytes before it were lost, which the agent says on the console.
 */
export const agentConsoleInput = z.object({
	offset: consolePlace,
	/** The bytes, in base64. */
	data: z.string(),
});

/** A channel of a user to a port of the board. */
export const agentChannel = z.object({
	id: z.string(),
	kind: z.enum(channelKinds),
	port: z.optional(z.string()),
});

export const agentLease = z.object({
	id: z.string(),
	/** Milliseconds until the lease ends unless it is renewed, counted from when the line was sent. */
	remaining_ms: time,
	/** The open actions, oldest first. One that the agent has finished and reported is left out. */
	actions: z.array(agentAction),
	/** Console input that was not on an earlier line of this connection. */
	input: z.nullable(agentConsoleInput),
	/** When it grows, the agent sends all output that it has, and this number as `synced` with the last of it. */
	sync: count,
	/**
	 * While the board is prepared: the action with which the output of the lease begins. What the board
	 * prints before may be that of the last lease, and the agent discards it.
	 */
	output_from: z.optional(z.string()),
	/** For how long somebody looks at the pins of the board unless it is renewed, counted as `remaining_ms`. */
	watched_ms: z.optional(time),
	/** What drives its pins from outside. */
	driven_pins: z.optional(drivenPins),
	/** The channels to connect to; one that is no longer here has ended. */
	channels: z._default(z.array(agentChannel), []),
});

/** The desired state of one board. A lower fence than one seen before is ignored. */
export const agentBoard = z.object({
	board_id: z.string(),
	fence: count,
	/** Null: stop using the board. */
	lease: z.nullable(agentLease),
	/** Why the board is not granted for a while, although the agent drives it. */
	resting: z.optional(z.string()),
});

/**
 * One line of `POST /v1/agent/work`, NDJSON. The first line of a connection has every board of the
 * agent; later lines have the boards that changed. An empty line keeps the connection alive.
 */
export const agentWork = z.object({
	boards: z.array(agentBoard),
	/** Whether the agent has to show that it is alive, by `POST /v1/agent/contact`. */
	contact: z.optional(z.boolean()),
});

/** The response of `GET /v1/agent`, by which `board-access-agent check` compares its configuration. */
export const agentStatus = z.object({
	/** Whether an agent with this token is connected, and on which host the last one ran. */
	online: z.boolean(),
	host: z.nullable(z.string()),
	boards: z.array(z.object({ id: z.string(), name: z.string(), board_type: z.string() })),
});

/** What an agent reports of the console of a lease; repeated until the service responds. */
export const agentConsole = z.strictObject({
	/** Counts the changes: a report that arrives late does not replace a newer one. */
	change: z.int32().check(z.minimum(1)),
	status: z.enum(consoleStatuses),
	/** Why it is disconnected. */
	message: z._default(z.string().check(z.maxLength(500)), ''),
	/** For how long it was disconnected since the last action, beyond what the action explains. */
	gap_ms: count,
	/** The channel whose debugger halts the processor. */
	halted_by: z.optional(z.string().check(z.maxLength(100))),
});

/** What the agent reports of an action; repeated until the service responds. */
export const agentReport = z.strictObject({
	fence: count,
	status: z.enum(['running', 'done', 'failed']),
	message: z._default(z.string().check(z.maxLength(4000)), ''),
	/** Where the console was when the output of the action itself began, all before it sent already. */
	console_offset: z.optional(consolePlace),
	/** How much of the firmware is written, in percent, if the flash tool says so. */
	progress: z.optional(z.int().check(z.minimum(0), z.maximum(100))),
	/** What failed, by default the board. A failure of the agent, such as a full disk, does not count against it. */
	cause: z.optional(z.enum(['agent', 'board', ...boardFailures])),
});
