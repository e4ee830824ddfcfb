// The packets of the remote protocol of GDB: `$data#checksum`, in which `}` escapes a byte.

/** How many bytes a packet may have, as GDB is told. */
export const maxPacket = 4096;

/** What is sent between packets. */
export const signs = { confirmed: '+', repeat: '-', interrupt: '\x03' };

export interface Received {
	readonly type: 'packet' | 'sign' | 'damaged';
	readonly text: string;
}

const damaged: Received = { type: 'damaged', text: '' };

/** The text of a packet; none of anything else. */
export function textsOf(received: Received): string[] {
	return received.type === 'packet' ? [received.text] : [];
}

/** Finds packets in a stream of bytes. Bytes are characters of the same number. */
export class PacketReader {
	readonly #maxLength: number;
	/** The packet that has begun, with its checksum. */
	#text: string | undefined;
	/** How many digits of the checksum have arrived. */
	#digits: number | undefined;

	constructor(maxLength = maxPacket) {
		this.#maxLength = maxLength;
	}

	*read(bytes: Uint8Array): Generator<Received> {
		for (const byte of bytes) {
			const received = this.#take(byte);
			if (received) yield received;
		}
	}

	#take(byte: number): Received | undefined {
		const character = String.fromCharCode(byte);
		// A notification begins with `%`. In a packet, `$` is escaped, so that it begins another one.
		if (character === '$' || (character === '%' && this.#text === undefined)) {
			[this.#text, this.#digits] = ['', undefined];
			return;
		}
		if (this.#text === undefined) {
			const isSign = Object.values(signs).includes(character);
			return isSign ? { type: 'sign', text: character } : undefined;
		}
		this.#text += character;
		if (this.#digits !== undefined) this.#digits += 1;
		else if (character === '#') this.#digits = 0;
		const isWhole = this.#digits === 2;
		if (!isWhole && this.#text.length < this.#maxLength + 3) return;
		const received = isWhole ? opened(this.#text) : damaged;
		this.#text = undefined;
		return received;
	}
}

function opened(packet: string): Received {
	const data = packet.slice(0, -3);
	if (packet.slice(-2).toLowerCase() !== checksum(data)) return damaged;
	const text = data.replaceAll(/\}(.)/gs, (_, character: string) => inverted(character));
	return { type: 'packet', text };
}

export function packetOf(text: string): string {
	const data = text.replaceAll(/[#$}*]/g, (character) => `}${inverted(character)}`);
	return `$${data}#${checksum(data)}`;
}

function inverted(character: string): string {
	return String.fromCharCode(character.charCodeAt(0) ^ 0x20);
}

function checksum(data: string): string {
	let sum = 0;
	for (let index = 0; index < data.length; index++) sum += data.charCodeAt(index);
	return (sum & 0xff).toString(16).padStart(2, '0');
}
