// An authenticator app, written from RFC 6238 alone.
import { createHmac } from 'node:crypto';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The code that an app shows now, or some half-minutes away. */
export function totp(secret: string, steps = 0) {
	const counter = Buffer.alloc(8);
	counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + steps));
	const digest = createHmac('sha1', base32(secret)).update(counter).digest();
	const offset = (digest.at(-1) ?? 0) & 15;
	const number = digest.readUInt32BE(offset) & 0x7fffffff;
	return String(number % 1_000_000).padStart(6, '0');
}

function base32(text: string) {
	const bits = [...text].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0'));
	const bytes = bits.join('').match(/.{8}/g) ?? [];
	return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)));
}
