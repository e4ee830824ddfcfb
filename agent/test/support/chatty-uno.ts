// Firmware for an Uno, by its instructions.

const words = (values: readonly number[]) => {
	const bytes = new Uint8Array(values.length * 2);
	const view = new DataView(bytes.buffer);
	for (const [index, value] of values.entries()) view.setUint16(index * 2, value, true);
	return bytes;
};

/** ldi r16, byte; sts UDR0, r16. */
const print = (byte: number) => [0xe000 | ((byte & 0xf0) << 4) | (byte & 0x0f), 0x9300, 0x00c6];

/** ldi r18, 20; ldi r17, 0; dec r17; brne -2; dec r18; brne -5. */
const delay = [0xe124, 0xe010, 0x951a, 0xf7f1, 0x952a, 0xf7d9];

/** Prints one text without end, about once a millisecond. */
export function chattyUno(text: string): Uint8Array {
	const code = [...Buffer.from(text).values()].flatMap(print).concat(delay);
	const back = 0xc000 | (-(code.length + 1) & 0xfff); // rjmp to the start
	return words([...code, back]);
}

/** Writes a `Z` to the EEPROM, prints it, and waits: out EEDR, r16; sbi EECR, EEMPE; sbi EECR, EEPE. */
export const eepromWriter = words([0xe50a, 0xbd00, 0x9afa, 0x9af9, 0x9300, 0x00c6, 0xcfff]);

/** Prints the first byte of the EEPROM without end: sbi EECR, EERE; in r16, EEDR; sts UDR0, r16. */
export const eepromReader = words([0x9af8, 0xb500, 0x9300, 0x00c6, ...delay, 0xcff5]);

/** Sends each byte back, at 1 Mbit/s. */
export const echoUno = words([
	...[0xe118, 0x9310, 0x00c1], // ldi r17, RXEN | TXEN; sts UCSR0B, r17
	...[0x9100, 0x00c0, 0xff07, 0xcffc], // wait for RXC in UCSR0A
	...[0x9100, 0x00c6, 0x9300, 0x00c6, 0xcff7], // UDR0 = UDR0, again
]);
