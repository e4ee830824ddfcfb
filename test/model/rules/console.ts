// What was read of a console is what the board printed, in order, or a mark says how much is missing.
import type { BoardSession } from '../hardware.ts';
import type { Process } from '../simulation.ts';

/** What one agent has sent of one lease, from the beginning of its console on. */
interface Upload {
	agent: Process;
	lease: string;
	fence: number;
	bytes: Buffer;
	/** How far it had come, and when. */
	steps: { at: number; end: number }[];
}

/** Bytes that follow each other, as a reader got them. */
interface Piece {
	offset: number;
	bytes: Buffer;
}

/** What one reader got, in order. */
export interface Reading {
	who: string;
	lease: string;
	/** Where it begins. */
	from: number;
	pieces: Piece[];
	/** A time: it must have read what had been sent until then. */
	completeUntil: number | undefined;
	/** The address by which the lease is shared with the reader. */
	sharedWith?: string;
	/** When bytes arrived. */
	arrivals: { at: number; end: number }[];
}

interface Needs {
	now(): number;
	violated(what: string): void;
	sessions(lease: string, fence: number): BoardSession[];
	/** Whether the service still has a byte from one offset up to another. */
	keeps(lease: string, from: number, to: number): boolean;
	/** Whether a colleague could read the lease at some time of a span. */
	isShared(lease: string, email: string, span: { from: number; to: number }): boolean;
	/** Whether a backup was restored while the lease existed. */
	isRestored(lease: string): boolean;
}

/** The agent and the service put lines of this form in place of what is missing. */
const ellipsis = Buffer.from('…').toString('latin1');
const notice = new RegExp(
	String.raw`\r\n\[${ellipsis} (?:(\d+) bytes dropped|[^\r\n]*) ${ellipsis}\]\r\n`,
	'g',
);
/** The end of what was sent may be in the middle of one. */
const cutNotice = /(?:\r\n\[[^\r\n]*\r?|\r\n?)?$/g;

/** What is missing and shorter than its mark is only skipped. */
const maxSkip = 40;

/** Adds text, with the offsets of its first byte and of the one that follows. */
export function addText(
	{ pieces, arrivals }: Reading,
	{ text, offset, nextOffset }: { text: string; offset: number; nextOffset: number },
	at: number,
) {
	arrivals.push({ at, end: nextOffset });
	const shown = bytesOf(text);
	const lineEnd = '\r\n'.slice(-(nextOffset - offset - shown.length) || 2);
	const bytes = Buffer.concat([shown, Buffer.from(lineEnd)]);
	const last = pieces.at(-1);
	if (last && last.offset + last.bytes.length === offset) {
		last.bytes = Buffer.concat([last.bytes, bytes]);
	} else pieces.push({ offset, bytes });
}

/** Stands for a byte that is no text, which is not known any more. */
const unknown = 0xff;

/** The bytes of decoded text. */
export function bytesOf(text: string) {
	const parts = text.split('\ufffd').map((part) => Buffer.from(part));
	return Buffer.concat(
		parts.flatMap((part, index) => (index > 0 ? [Buffer.of(unknown), part] : [part])),
	);
}

export class ConsoleRules {
	readonly #needs: Needs;
	#uploads: Upload[] = [];
	#readings: Reading[] = [];

	constructor(needs: Needs) {
		this.#needs = needs;
	}

	/** Begins a reading. What belongs to it is added until the history ends. */
	reading(who: string, lease: string, from = 0): Reading {
		const reading = { who, lease, from, pieces: [], completeUntil: undefined, arrivals: [] };
		this.#readings.push(reading);
		return reading;
	}

	/** An agent sends output, perhaps again. */
	uploaded(agent: Process, url: URL, body: Uint8Array) {
		const lease = url.pathname.split('/').at(-1) ?? '';
		const fence = Number(url.searchParams.get('fence'));
		const upload = this.#uploadOf({ agent, lease, fence });
		const offset = Number(url.searchParams.get('offset'));
		const known = upload.bytes.subarray(offset, offset + body.length);
		if (offset > upload.bytes.length || !known.equals(body.subarray(0, known.length)))
			return this.#needs.violated(`${agent.name} sends other output of ${lease} at ${offset}`);
		upload.bytes = Buffer.concat([upload.bytes, body.subarray(known.length)]);
		upload.steps.push({ at: this.#needs.now(), end: upload.bytes.length });
	}

	#uploadOf(place: Pick<Upload, 'agent' | 'lease' | 'fence'>) {
		const known = this.#uploads.find(
			({ agent, lease, fence }) =>
				agent === place.agent && lease === place.lease && fence === place.fence,
		);
		const upload = known ?? { ...place, bytes: Buffer.alloc(0), steps: [] };
		if (!known) this.#uploads.push(upload);
		return upload;
	}

	/** Once all is known of these leases, or of all that are left. */
	check(leases?: ReadonlySet<string>) {
		const isKnown = ({ lease }: { lease: string }) => leases?.has(lease) ?? true;
		for (const upload of this.#uploads) if (isKnown(upload)) this.#checkUpload(upload);
		for (const reading of this.#readings) if (isKnown(reading)) this.#checkReading(reading);
		this.#uploads = this.#uploads.filter((upload) => !isKnown(upload));
		this.#readings = this.#readings.filter((reading) => !isKnown(reading));
	}

	/** Of the agent: what it sends was printed. */
	#checkUpload({ agent, lease, fence, bytes }: Upload) {
		const [session] = this.#needs
			.sessions(lease, fence)
			.filter((each) => each.agent === agent)
			.slice(-1);
		const starts = session?.starts ?? [0];
		const printed = Buffer.concat(session?.output ?? []);
		const found = starts.map((start) => differenceOf(bytes, printed, start));
		if (found.includes(undefined)) return;
		const [first = ''] = found;
		this.#needs.violated(`${agent.name} sends of ${lease} what was not printed: ${first}`);
	}

	/** Of client and service: what is read was sent. */
	#checkReading(reading: Reading) {
		const uploads = this.#uploads.filter(({ lease }) => lease === reading.lease);
		// A backup may take the lease back to its preparation: its console begins again, and who reads goes on there.
		if (uploads.length > 1 && this.#needs.isRestored(reading.lease)) return;
		const mistakes = uploads.map((upload) => this.#mistakeOf(reading, upload));
		const isEmpty = uploads.length === 0 && reading.pieces.length === 0;
		if (isEmpty || mistakes.includes(undefined)) return;
		const mistake = mistakes.at(-1) ?? 'nothing was sent';
		this.#needs.violated(`${reading.who} reads ${reading.lease}: ${mistake}`);
	}

	#mistakeOf(reading: Reading, { bytes: sent, steps }: Upload) {
		const { lease, from, pieces, completeUntil = -1 } = reading;
		let next = from;
		for (const piece of pieces) {
			const mistake = this.#mistakeIn(piece, { lease, next, sent });
			if (mistake !== undefined) return mistake;
			next = piece.offset + piece.bytes.length;
		}
		const unshared = this.#unsharedOf(reading, steps);
		if (unshared !== undefined) return unshared;
		const had = steps.findLast(({ at }) => at <= completeUntil)?.end ?? 0;
		return next < had ? `it ends at ${next}, although ${had} bytes had been sent` : undefined;
	}

	/** What was sent after the end of the share is not for the colleague. */
	#unsharedOf({ lease, sharedWith, arrivals }: Reading, steps: Upload['steps']) {
		if (sharedWith === undefined) return undefined;
		const found = arrivals.find(({ at, end }) => {
			const from = steps.find((step) => step.end >= end)?.at ?? 0;
			return !this.#needs.isShared(lease, sharedWith, { from, to: at });
		});
		return found && `up to ${found.end}, which is not shared with ${sharedWith}`;
	}

	#mistakeIn(
		{ offset, bytes }: Piece,
		{ lease, next, sent }: { lease: string; next: number; sent: Buffer },
	) {
		if (offset < next) return `${offset} again, after ${next}`;
		const mark = markIn(bytes, sent.subarray(offset));
		// The mark stands in place of the last bytes that are missing.
		const end = offset + (mark?.end ?? 0);
		const begin = mark && mark.index > 0 ? offset + mark.index : next;
		const missing = end - begin;
		if (mark && mark.count !== missing) return `${missing} bytes are missing, not ${mark.count}`;
		if (!mark && missing > maxSkip) return `${missing} bytes are missing without a mark at ${next}`;
		if (missing > 0 && this.#needs.keeps(lease, begin, end))
			return `bytes ${begin} to ${end} are missing, although they are kept`;
		const isSent =
			isEqual(bytes.subarray(0, mark?.index), sent.subarray(offset)) || mark?.index === 0;
		if (isSent && isEqual(bytes.subarray(mark?.end), sent.subarray(end))) return undefined;
		return `other bytes at ${offset}: ${JSON.stringify(bytes.toString().slice(0, 80))}`;
	}
}

/** The first mark that was not sent with the output. */
function markIn(bytes: Buffer, sent: Buffer) {
	// Each byte is a character, so that positions are offsets.
	for (const { 0: text, 1: count, index } of bytes.toString('latin1').matchAll(notice)) {
		const end = index + text.length;
		if (count === undefined || sent.subarray(index, end).equals(bytes.subarray(index, end)))
			continue;
		return { index, end, count: Number(count) };
	}
	return undefined;
}

function isEqual(bytes: Buffer, sent: Buffer) {
	if (bytes.equals(sent.subarray(0, bytes.length))) return true;
	if (bytes.length > sent.length) return false;
	return bytes.every(
		(byte, index) => byte === sent[index] || (byte === unknown && (sent[index] ?? 0) >= 0x80),
	);
}

/** Where output differs from what was printed from an offset on, with what the agent says is missing. */
function differenceOf(sent: Buffer, printed: Buffer, start: number): string | undefined {
	const text = sent.toString('latin1');
	let [from, next] = [0, start];
	for (const { 0: mark, 1: dropped = 0, index } of [
		...text.matchAll(notice),
		...text.matchAll(cutNotice),
	]) {
		const part = sent.subarray(from, index);
		if (!part.equals(printed.subarray(next, next + part.length)))
			return `${JSON.stringify(part.toString().slice(0, 60))} at ${from}`;
		next += part.length + Number(dropped);
		from = index + mark.length;
	}
	return undefined;
}
