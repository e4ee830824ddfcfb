// Faults of single requests: derived from their number, or replayed from a list.
import { between, pick, type Random, weighted } from './random.ts';

const requestFaults = [
	'refused',
	'lost-request',
	'lost-response',
	'stalled-request',
	'stalled-response',
	'late-request',
	'late-response',
	'doubled',
	'cut',
	'bad-gateway',
	'gateway-timeout',
	'unknown-status',
] as const;

type RequestFaultKind = (typeof requestFaults)[number];

export interface RequestFault {
	/** The process that sends the request, and which of its requests it is. */
	who: string;
	request: number;
	kind: RequestFaultKind;
	/** How late, or how long a stream lasts. */
	milliseconds: number;
}

/** How often each kind happens, in a hundred requests. */
export type FaultRates = Readonly<Partial<Record<RequestFaultKind, number>>>;

export interface FaultSource {
	of(who: string, request: number, description: RequestDescription): RequestFault | undefined;
}

interface RequestDescription {
	isStream: boolean;
	changes: boolean;
}

/** Faults by chance: each follows from the seed, the process and the number of its request. */
export function randomFaults(
	random: (...names: (string | number)[]) => Random,
	ratesOf: (who: string) => FaultRates,
): FaultSource {
	return {
		of(who, request, description) {
			const rates = ratesOf(who);
			const own = random('fault', who, request);
			const total = Object.values(rates).reduce((sum, rate) => sum + rate, 0);
			// A stream lasts longer than any other response.
			const chance = description.isStream ? total * 3 : total;
			if (own() * 100 >= chance) return undefined;
			const kind =
				description.isStream && own() < 0.7
					? 'cut'
					: weighted(own, rates as Record<RequestFaultKind, number>); // all that are set
			if (!isPossible(kind, description)) return undefined;
			return { who, request, kind, milliseconds: timeOf(kind, own) };
		},
	};
}

/** The faults of a list and no others. */
export function recordedFaults(faults: readonly RequestFault[]): FaultSource {
	const byRequest = new Map(faults.map((fault) => [`${fault.who} ${fault.request}`, fault]));
	return { of: (who, request) => byRequest.get(`${who} ${request}`) };
}

function isPossible(kind: RequestFaultKind, { isStream, changes }: RequestDescription) {
	if (kind === 'doubled') return changes;
	if (kind === 'stalled-response' || kind === 'unknown-status') return !isStream;
	return true;
}

function timeOf(kind: RequestFaultKind, random: Random) {
	if (kind === 'late-request' || kind === 'late-response' || kind === 'doubled') {
		return pick(random, [
			between(random, 50, 900),
			between(random, 1_000, 9_000),
			between(random, 9_000, 40_000),
		]);
	}
	if (kind === 'cut') return between(random, 1, 30_000);
	return between(random, 1, 3_000);
}
