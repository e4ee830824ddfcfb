// Firmware files of the largest size that are expensive to read.
const largest = 16 * 1024 * 1024;

/** The service may reject them, but not take long for it. */
export function trickyFirmware(): Buffer[] {
	const lines = ['\n', ':0000000000\n', ':020000040000FA\n', oneByteRecords()];
	return [...lines.map(hexOf), elf(), uf2()];
}

/** A record that makes it Intel HEX, then the same lines again and again. */
function hexOf(lines: string) {
	const [first, last] = [':0100000000FF\n', ':00000001FF\n'];
	const times = Math.floor((largest - first.length - last.length) / lines.length);
	return Buffer.from(first + lines.repeat(times) + last);
}

function oneByteRecords() {
	const record = (address: number) => [1, address >> 8, address & 255, 0, 0];
	const line = (bytes: number[]) => {
		const sum = bytes.reduce((total, byte) => total + byte, 0);
		return `:${Buffer.from([...bytes, -sum & 255]).toString('hex')}\n`;
	};
	return Array.from({ length: 65_535 }, (_, address) => line(record(address + 1))).join('');
}

/** Each section is looked for in each segment. */
function elf() {
	const [segments, sections] = [100, 65_535];
	const file = Buffer.alloc(largest);
	file.set([0x7f, 0x45, 0x4c, 0x46, 1, 1]);
	const word = (at: number, value: number) => file.writeUInt32LE(value, at);
	const [programs, table] = [52, 52 + segments * 32];
	word(28, programs);
	word(32, table);
	for (const [at, value] of [
		[18, 83],
		[42, 32],
		[44, segments],
		[46, 40],
		[48, sections],
	] as const)
		file.writeUInt16LE(value, at);
	for (let index = 0; index < segments; index += 1) word(programs + index * 32, 1);
	for (let index = 0; index < sections; index += 1) {
		const fields = { 4: 1, 8: 2, 12: (sections - index) * 4, 16: 52, 20: 1 };
		for (const [at, value] of Object.entries(fields)) word(table + index * 40 + Number(at), value);
	}
	return file;
}

/** The last address first. */
function uf2() {
	const file = Buffer.alloc(largest);
	const blocks = largest / 512;
	for (let index = 0; index < blocks; index += 1) {
		const words = { 0: 0x0a324655, 4: 0x9e5d5157, 12: (blocks - index) * 512, 16: 1, 20: index };
		const all = { ...words, 24: blocks, 508: 0x0ab16f30 };
		for (const [at, value] of Object.entries(all)) {
			file.writeUInt32LE(value, index * 512 + Number(at));
		}
	}
	return file;
}
