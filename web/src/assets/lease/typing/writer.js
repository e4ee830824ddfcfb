// Sends what is typed to the console of a lease in its order, and never twice: a text is sent again
// at the offset where an attempt without a response may have written it.
import { unreachable } from '../../connection.js';

// The service counts requests.
const paceMilliseconds = 25;
const attemptMilliseconds = 4_000;
const patienceMilliseconds = 15_000;
const pauseMilliseconds = 500;

export const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/**
 * Returns a function that takes a text, its tab, its offset if it may be written there, and the number
 * of a text that is to be sent by itself. `accept` is called when all of a text is written.
 */
export const consoleWriter = (id, refuse, accept = () => {}) => {
	const name = Math.random().toString(36).slice(2);
	const waiting = [];
	let end;
	let sending = false;

	const attempt = async (body, query) => {
		const address = `/v1/leases/${id}/console?${new URLSearchParams(query)}`;
		const headers = { 'content-type': 'application/octet-stream' };
		const signal = AbortSignal.timeout(attemptMilliseconds);
		const request = { method: 'POST', body, headers, signal };
		const response = await fetch(address, request).catch(() => undefined);
		const next = response?.headers.get('x-console-offset');
		if (response?.ok && next) return { next: Number(next) };
		const { error } = (await response?.json().catch(() => undefined)) ?? {};
		// A success without the offset is what a proxy says.
		const lost = !response || response.ok || response.status >= 500;
		const temporary = lost || response.status === 429 || error?.code === 'console_input_full';
		return { ...error, lost, temporary, message: error?.message ?? unreachable };
	};

	/** Repeats an attempt while its failure is temporary. `lost` says whether one had no response. */
	const insist = async (body, query) => {
		const until = performance.now() + patienceMilliseconds;
		for (let lost = false; ; await pause(pauseMilliseconds)) {
			const result = await attempt(body, query);
			lost ||= result.lost;
			if (!result.temporary || performance.now() >= until) return { ...result, lost };
		}
	};

	/** Returns why a text was not written, and its offset if it may have been. */
	const post = async ({ text, offset }) => {
		for (let at = offset ?? end, mayBeWritten = offset !== undefined; ; ) {
			if (at === undefined) {
				const result = await insist('', {});
				if (result.next === undefined) return { reason: result.message };
				at = result.next;
			}
			const result = await insist(text, { offset: at, piece: `${name}_${at}` });
			if (result.next !== undefined) {
				end = Math.max(end ?? 0, result.next);
				return undefined;
			}
			const isGap = result.code === 'console_gap';
			// Without `param`, the service no longer has what it would have to compare.
			mayBeWritten = !(isGap && result.param) && (mayBeWritten || result.lost);
			if (!isGap || mayBeWritten) {
				return { reason: result.message, offset: mayBeWritten ? at : undefined };
			}
			// Something else is written there, so nothing of this is.
			at = result.param && Number(result.param);
		}
	};

	/** Keys that are typed together travel together. */
	const take = () => {
		const first = { ...waiting.shift() };
		// A part of a file, which is no text.
		if (typeof first.text !== 'string') return { ...first, rest: '' };
		const joins = ({ tab, offset, number, echo }) =>
			!echo && tab === first.tab && offset === first.offset && number === first.number;
		if (first.offset === undefined && !first.echo) {
			while (waiting.length > 0 && joins(waiting[0])) first.text += waiting.shift().text;
		}
		const [text] = first.text.match(/^.{1,1000}/su);
		const rest = first.text.slice(text.length);
		if (rest) waiting.unshift({ ...first, text: rest });
		return { ...first, text, rest };
	};

	const send = async () => {
		if (sending) return;
		sending = true;
		while (waiting.length > 0) {
			const began = performance.now();
			const piece = take();
			const refused = await post(piece);
			if (!refused && !piece.rest) accept(piece);
			await pause(Math.max(0, began + paceMilliseconds - performance.now()));
			if (!refused) continue;
			// The rest would come to the wrong place.
			const { rest, ...sent } = piece;
			refuse({ ...sent, ...refused });
			for (const next of waiting.splice(0)) refuse({ ...next, reason: refused.reason });
		}
		sending = false;
	};

	return (piece) => {
		waiting.push(piece);
		send();
	};
};
