// What a debugger sees of an emulated chip.

export interface DebugTarget {
	/** By their numbers in GDB. */
	readonly registers: readonly Register[];
	/** The numbers of those that GDB needs whenever the chip halts. */
	readonly stopRegisters: readonly number[];
	readonly memory: readonly MemoryRegion[];
	/** An XML document, for chips of which GDB has to be told the registers. */
	readonly description?: string;
	state(): ChipState;
	/** Reports what the firmware reads and writes, or no longer. */
	watch(onAccess: OnAccess | undefined): void;
}

export interface ChipState {
	readonly pc: number;
	readonly sp: number;
	readonly isAsleep: boolean;
}

export interface Register {
	/** In bytes. */
	readonly size: number;
	read(): number;
	write(value: number): void;
}

export interface MemoryRegion {
	readonly type: 'flash' | 'ram' | 'rom';
	readonly start: number;
	readonly size: number;
	/** Of flash: what is erased at once. */
	readonly block?: number;
	read(address: number, length: number): Uint8Array;
	write(address: number, bytes: Uint8Array): void;
}

export type OnAccess = (access: 'read' | 'write', address: number, size: number) => void;

/** Follows a chip that runs under a debugger. */
export interface Tracer {
	/** Called after each instruction. Returns whether the chip halts. */
	halts(): boolean;
	/** An interrupt has begun. When it ends, the stack pointer is the same again. */
	interrupted(stack: number): void;
}

/** A register that is a property of an object. */
export function registerOf<Key extends PropertyKey>(
	size: number,
	holder: Record<Key, number>,
	key: Key,
): Register {
	return {
		size,
		read: () => holder[key],
		write(value) {
			holder[key] = value;
		},
	};
}

/** Memory whose bytes are in an array. */
export function memoryOf(
	{ start, ...region }: Pick<MemoryRegion, 'type' | 'start' | 'block'>,
	bytes: Uint8Array,
): MemoryRegion {
	return {
		...region,
		start,
		size: bytes.length,
		read: (address, length) => bytes.subarray(address - start, address - start + length),
		write: (address, data) => bytes.set(data, address - start),
	};
}
