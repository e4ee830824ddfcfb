// A session of RFC 2217, which is a serial port over telnet: bytes in, data and requests out.
import type { SerialLine, SerialSettings } from 'board-access';

/** What the bytes of a tool ask for, to be carried out in order. */
export type Step =
	| { readonly type: 'data'; readonly bytes: Uint8Array }
	| { readonly type: 'flow'; readonly isSuspended: boolean }
	/** The reply is made from the line after the change. */
	| { type: 'request'; change: SerialSettings; reply(line: SerialLine): Uint8Array };

const telnet = { se: 240, sb: 250, will: 251, wont: 252, do: 253, dont: 254, iac: 255 };
const options = { binary: 0, echo: 1, suppressGoAhead: 3, comPort: 44 };
const commands = { signature: 0, baud: 1, modem: 7, suspend: 8, resume: 9, modemMask: 11 };

/** A reply has the number of its command and this. */
const replyOffset = 100;

/** What is longer is cut, so that a session needs little memory. */
const maxSubnegotiation = 64;

// By their numbers on the wire, where 0 asks for the present one.
const dataBits = [5, 6, 7, 8] as const;
const parities = [undefined, 'none', 'odd', 'even', 'mark', 'space'] as const;
const stopBits = [undefined, 1, 2, 1.5] as const;
const controls: Readonly<Record<number, SerialSettings>> = {
	5: { break: true },
	6: { break: false },
	8: { dtr: true },
	9: { dtr: false },
	11: { rts: true },
	12: { rts: false },
};

/** A setting that is not valid changes nothing, and the reply has the present one. */
type Wanted = { readonly [Name in keyof SerialSettings]: SerialSettings[Name] | undefined };

/** What a command with one byte changes, and the byte of its reply. */
type Command = [(value: number) => Wanted, (line: SerialLine, value: number) => number];

const byteCommands: Readonly<Record<number, Command>> = {
	2: [(value) => ({ dataBits: dataBits.find((bits) => bits === value) }), (line) => line.dataBits],
	3: [(value) => ({ parity: parities[value] }), (line) => parities.indexOf(line.parity)],
	4: [(value) => ({ stopBits: stopBits[value] }), (line) => stopBits.indexOf(line.stopBits)],
	5: [(value) => controls[value] ?? {}, controlOf],
	6: [() => ({}), () => 0], // errors of the line are not known
	10: [() => ({}), (_, mask) => mask],
	// To purge 1 is to drop what the tool has not read, which it does itself.
	12: [(value) => (value === 1 ? {} : { purge: true }), (_, value) => value],
};

export class Rfc2217Session {
	readonly encode = escapeBytes;
	readonly #ours = new Set<number>();
	readonly #theirs = new Set<number>();
	#state: 'data' | 'command' | 'option' = 'data';
	#verb = 0;
	#subnegotiation: number[] | undefined;
	/** The modem lines that the tool wants to know, and those that it knows. */
	#mask = 0xff;
	#modem = 0;

	receive(bytes: Uint8Array): Step[] {
		const steps: Step[] = [];
		const data = new Uint8Array(bytes.length);
		let length = 0;
		const add = (step: Step | undefined) => {
			if (step === undefined) return;
			if (length > 0) steps.push({ type: 'data', bytes: data.slice(0, length) });
			length = 0;
			steps.push(step);
		};
		for (const byte of bytes) {
			const isDoubled = this.#state === 'command' && byte === telnet.iac;
			const isPlain = this.#state === 'data' && byte !== telnet.iac;
			if (!isDoubled && !isPlain) add(this.#takeCommand(byte));
			else {
				this.#state = 'data';
				if (this.#subnegotiation === undefined) data[length++] = byte;
				else if (this.#subnegotiation.length < maxSubnegotiation) this.#subnegotiation.push(byte);
			}
		}
		if (length > 0) steps.push({ type: 'data', bytes: data.subarray(0, length) });
		return steps;
	}

	/** The modem lines, if they are news to the tool. */
	notice(line: SerialLine): Uint8Array | undefined {
		const isAgreed = this.#ours.has(options.comPort) || this.#theirs.has(options.comPort);
		const isNews = (modemOf(line) ^ this.#modem) & this.#mask;
		return isAgreed && isNews ? this.#modemState(line) : undefined;
	}

	#modemState(line: SerialLine) {
		const modem = modemOf(line);
		const changed = (modem ^ this.#modem) >> 4;
		this.#modem = modem;
		return reply(commands.modem, [(modem | changed) & this.#mask]);
	}

	#takeCommand(byte: number): Step | undefined {
		const state = this.#state;
		this.#state = state === 'data' ? 'command' : 'data';
		if (state === 'data') return undefined;
		if (state === 'option') return this.#negotiate(byte);
		const subnegotiation = this.#subnegotiation;
		this.#subnegotiation = byte === telnet.sb ? [] : undefined;
		if (byte === telnet.se && subnegotiation) return this.#takeRequest(subnegotiation);
		if (byte >= telnet.will) [this.#verb, this.#state] = [byte, 'option'];
		return undefined;
	}

	/** Replies to changes only, so that two sides never reply to each other without end. */
	#negotiate(option: number): Step | undefined {
		const isOurs = this.#verb >= telnet.do;
		const isWanted = this.#verb === telnet.do || this.#verb === telnet.will;
		const agreed = isOurs ? this.#ours : this.#theirs;
		if (agreed.has(option) === isWanted) return undefined;
		// A tool does not echo what the board prints.
		const isKnown = Object.values(options).includes(option) && (isOurs || option !== options.echo);
		const agrees = isWanted && isKnown;
		if (agrees) agreed.add(option);
		else agreed.delete(option);
		const [yes, no] = isOurs ? [telnet.will, telnet.wont] : [telnet.do, telnet.dont];
		const answer = [telnet.iac, agrees ? yes : no, option];
		const isPort = agrees && option === options.comPort;
		return request({}, (line) =>
			Uint8Array.from(isPort ? [...answer, ...this.#modemState(line)] : answer),
		);
	}

	#takeRequest([option, command = -1, ...parameter]: number[]): Step | undefined {
		if (option !== options.comPort) return undefined;
		const [value = 0] = parameter;
		if (command === commands.suspend || command === commands.resume) {
			return { type: 'flow', isSuspended: command === commands.suspend };
		}
		if (command === commands.signature) {
			if (parameter.length > 0) return undefined; // that of the tool
			return request({}, () => reply(command, Buffer.from('board-access')));
		}
		if (command === commands.baud) {
			const baud = parameter.length < 4 ? 0 : Buffer.from(parameter).readUInt32BE();
			return request({ baud: baud || undefined }, (line) => reply(command, bigEndian(line.baud)));
		}
		if (command === commands.modem) return request({}, (line) => this.#modemState(line));
		if (command === commands.modemMask) {
			this.#mask = value;
			return request({}, () => reply(command, [value]));
		}
		const [change, present] = byteCommands[command] ?? [];
		if (!change || !present) return undefined;
		return request(change(value), (line) => reply(command, [present(line, value)]));
	}
}

/** Doubles each 255, which begins a command of telnet. */
function escapeBytes(bytes: Uint8Array): Uint8Array {
	const escaped = new Uint8Array(bytes.length * 2);
	let length = 0;
	for (const byte of bytes) {
		escaped[length++] = byte;
		if (byte === telnet.iac) escaped[length++] = byte;
	}
	return escaped.subarray(0, length);
}

function request(wanted: Wanted, reply: (line: SerialLine) => Uint8Array): Step {
	const valid = Object.entries(wanted).filter(([, value]) => value !== undefined);
	return { type: 'request', change: Object.fromEntries(valid), reply };
}

function reply(command: number, parameter: Iterable<number>): Uint8Array {
	const { iac, sb, se } = telnet;
	const escaped = escapeBytes(Uint8Array.from(parameter));
	return Uint8Array.of(iac, sb, options.comPort, command + replyOffset, ...escaped, iac, se);
}

function bigEndian(value: number): Uint8Array {
	const bytes = Buffer.alloc(4);
	bytes.writeUInt32BE(value);
	return bytes;
}

function modemOf({ cts, dsr, ri, cd }: SerialLine): number {
	return (cts ? 16 : 0) | (dsr ? 32 : 0) | (ri ? 64 : 0) | (cd ? 128 : 0);
}

/** The present value of what a control asks for or sets. There is no flow control: 1 outbound, 14 inbound. */
function controlOf(line: SerialLine, control: number): number {
	if (control >= 4 && control <= 6) return line.break ? 5 : 6;
	if (control >= 7 && control <= 9) return line.dtr ? 8 : 9;
	if (control >= 10 && control <= 12) return line.rts ? 11 : 12;
	const isInbound = (control >= 13 && control <= 16) || control === 18;
	return isInbound ? 14 : 1;
}
