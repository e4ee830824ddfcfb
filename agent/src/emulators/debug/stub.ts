// A debugger of an emulated board, which speaks the remote protocol of GDB.
import { maxPacket, PacketReader, packetOf, signs } from './packets.ts';
import { type Point, RunControl, signals } from './run-control.ts';
import type { DebugTarget, MemoryRegion, Register } from './target.ts';

interface StubBoard {
	output(bytes: Uint8Array): void;
	/** Restarts the firmware, and calls `replaceTarget`. */
	reset(): void;
	/** GDB has written the flash. */
	flashed(): void;
}

/** The text of a reply, or whether it has worked. Without a reply, GDB waits until the chip halts. */
type Reply = string | boolean | undefined;

/** How a packet begins, and its reply. */
type Command = readonly [RegExp, (numbers: number[], data: string, all: string) => Reply];

/** By their numbers in GDB, which knows two kinds of breakpoints. */
const pointKinds: readonly Point['kind'][] = ['break', 'break', 'watch', 'rwatch', 'awatch'];

export class GdbStub {
	readonly control: RunControl;
	readonly #board: StubBoard;
	readonly #reader = new PacketReader();
	#acknowledges = true;
	/** GDB may ask for it again. */
	#sent = '';

	constructor(target: DebugTarget, board: StubBoard) {
		this.#board = board;
		this.control = new RunControl(target, () => this.#send(this.#stopReply()));
	}

	receive(bytes: Uint8Array): void {
		for (const received of this.#reader.read(bytes)) {
			if (received.type === 'packet') this.#answer(received.text);
			else if (received.text === signs.interrupt) this.control.interrupt(signals.interrupt);
			else if (received.text === signs.confirmed) continue;
			else if (this.#acknowledges)
				this.#write(received.text === signs.repeat ? this.#sent : signs.repeat);
		}
	}

	#answer(packet: string) {
		if (this.#acknowledges) this.#write('+');
		const reply = this.#replyTo(packet);
		if (typeof reply === 'boolean') this.#send(reply ? 'OK' : 'E01');
		else if (reply !== undefined) this.#send(reply);
	}

	#send(text: string) {
		this.#sent = packetOf(text);
		this.#write(this.#sent);
	}

	#write(text: string) {
		if (text) this.#board.output(Buffer.from(text, 'latin1'));
	}

	#replyTo(packet: string): Reply {
		for (const [pattern, reply] of this.#commands) {
			const [beginning] = pattern.exec(packet) ?? [];
			if (beginning === undefined) continue;
			const all = packet.slice(beginning.length);
			const [, numbers = '', data = ''] = /^([\da-f,]*)[:=]?(.*)/s.exec(all) ?? [];
			try {
				const parsed = numbers.split(',').map((digits) => Number.parseInt(digits, 16));
				return reply(parsed, data, all);
			} catch {
				return false; // a peripheral of the emulator
			}
		}
		return '';
	}

	readonly #commands: readonly Command[] = [
		[/^qSupported/, () => this.#features()],
		[/^QStartNoAckMode$/, () => this.#stopAcknowledging()],
		[/^\?$/, () => this.#halt()],
		[/^g$/, () => this.#target.registers.map(hexOf).join('')],
		[/^G/, (_, __, values) => this.#setRegisters(values)],
		[/^p/, ([number]) => this.#useRegister(number, hexOf)],
		[
			/^P/,
			([number], value) => this.#useRegister(number, (register) => setRegister(register, value)),
		],
		[/^m/, ([address, length]) => this.#readMemory(address, length)],
		[/^M/, ([address], data) => this.#writeMemory(address, Buffer.from(data, 'hex'))],
		[/^X/, ([address], data) => this.#writeMemory(address, Buffer.from(data, 'latin1'))],
		[/^Z/, (point) => this.#setPoint(true, point)],
		[/^z/, (point) => this.#setPoint(false, point)],
		[/^(vCont;)?[cC]/, () => this.control.resume()],
		[/^(vCont;)?[sS]/, () => this.control.resume({ start: 0, end: 0 })],
		[/^vCont;r/, ([start = 0, end = 0]) => this.control.resume({ start, end })],
		[/^vCont\?$/, () => 'vCont;c;C;s;S;r'],
		[/^(D|vKill)/, () => this.#detach()],
		[/^k$/, () => void this.control.detach()],
		[/^[HT]/, () => true],
		[/^qC$/, () => 'QC1'],
		[/^qAttached/, () => '1'],
		[/^qfThreadInfo$/, () => 'm1'],
		[/^qsThreadInfo$/, () => 'l'],
		[/^vFlashErase:/, ([address, length]) => this.#eraseFlash(address, length)],
		[/^vFlashWrite:/, ([at], data) => this.#writeMemory(at, Buffer.from(data, 'latin1'), 'flash')],
		[/^vFlashDone$/, () => this.#endFlash()],
		[/^qXfer:memory-map:read::/, (part) => partOf(memoryMapOf(this.#target), part)],
		[/^qXfer:features:read:target\.xml:/, (part) => partOf(this.#target.description ?? '', part)],
		[/^qRcmd,/, (_, __, command) => this.#monitor(Buffer.from(command, 'hex').toString())],
	];

	get #target() {
		return this.control.target;
	}

	#features() {
		const description = this.#target.description ? ';qXfer:features:read+' : '';
		const size = maxPacket.toString(16);
		return `PacketSize=${size};QStartNoAckMode+;vContSupported+;qXfer:memory-map:read+${description}`;
	}

	#stopAcknowledging() {
		this.#acknowledges = false;
		return true;
	}

	#halt() {
		this.control.halt();
		return this.#stopReply();
	}

	#stopReply() {
		const { signal, access } = this.control.stop;
		const { registers, stopRegisters } = this.#target;
		const reason = access ? `${access.kind}:${access.address.toString(16)};` : '';
		const values = registers.flatMap((register, number) =>
			stopRegisters.includes(number) ? `${byteHex(number)}:${hexOf(register)};` : [],
		);
		return `T${byteHex(signal)}${reason}${values.join('')}`;
	}

	#setRegisters(values: string) {
		let at = 0;
		return this.#target.registers.every((register) => {
			const value = values.slice(at);
			at += 2 * register.size;
			return setRegister(register, value);
		});
	}

	#useRegister(number = Number.NaN, use: (register: Register) => Reply) {
		const register = this.#target.registers[number];
		return register !== undefined && use(register);
	}

	#readMemory(address = 0, length = 0) {
		const region = this.#regionAt(address);
		if (!region) return false;
		const size = Math.min(length, region.start + region.size - address, maxPacket / 2);
		return Buffer.from(region.read(address, size)).toString('hex');
	}

	/** Flash is written only as such, which GDB does when it loads a program. */
	#writeMemory(address = 0, data: Uint8Array, type: MemoryRegion['type'] = 'ram') {
		const region = this.#regionAt(address, data.length, type);
		region?.write(address, data);
		return region !== undefined;
	}

	#eraseFlash(address = 0, length = 0) {
		const region = this.#regionAt(address, length, 'flash');
		region?.write(address, new Uint8Array(length).fill(0xff));
		return region !== undefined;
	}

	#regionAt(address: number, length = 0, wanted?: MemoryRegion['type']): MemoryRegion | undefined {
		return this.#target.memory.find(({ type, start, size }) => {
			const isIn = address >= start && address < start + size && address + length <= start + size;
			return isIn && (wanted === undefined || type === wanted);
		});
	}

	#endFlash() {
		this.#board.flashed();
		return true;
	}

	#setPoint(isSet: boolean, [type = 0, address = 0, size = 0]: readonly number[]) {
		return this.control.setPoint({ kind: pointKinds[type] ?? 'break', address, size }, isSet);
	}

	#detach() {
		this.control.detach();
		return true;
	}

	/** The chip stays halted, because GDB knows nothing of the reset: `reset` is OpenOCD's `reset halt`. */
	#monitor(command: string) {
		if (!/^reset\b/.test(command)) return '';
		this.#board.reset();
		return true;
	}
}

function byteHex(value: number): string {
	return value.toString(16).padStart(2, '0');
}

/** The value of a register, least significant byte first. */
function hexOf(register: Register): string {
	const bytes = Buffer.alloc(4);
	bytes.writeUInt32LE(register.read() >>> 0);
	return bytes.toString('hex', 0, register.size);
}

/** Returns whether there were enough digits. */
function setRegister(register: Register, value: string): boolean {
	const bytes = Buffer.from(value, 'hex');
	if (bytes.length < register.size) return false;
	register.write(bytes.readUIntLE(0, register.size));
	return true;
}

function memoryMapOf({ memory }: DebugTarget): string {
	const regions = memory.map(({ type, start, size, block }) => {
		const property = block ? `<property name="blocksize">${block}</property>` : '';
		return `<memory type="${type}" start="${start}" length="${size}">${property}</memory>`;
	});
	return `<memory-map>${regions.join('')}</memory-map>`;
}

/** The part of a document that GDB asks for. */
function partOf(text: string, [start = 0, length = 0]: readonly number[]): string {
	const part = text.slice(start, start + Math.min(length, maxPacket / 2));
	return (start + part.length < text.length ? 'm' : 'l') + part;
}
