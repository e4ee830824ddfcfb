// What a test of firmware says is true, and what a board or a connection does is no failure of the firmware.

/** What the firmware does: prints that it works, or that it does not, or neither. */
export type Firmware = 'passes' | 'fails' | 'hangs';

const verdictOf = { passes: 'passed', fails: 'fail_seen', hangs: 'not_seen' } as const;

/** The results that say something of the firmware. */
const verdicts: ReadonlySet<string> = new Set(Object.values(verdictOf));

interface Tested {
	label: string;
	firmware: Firmware;
	result: string;
	message: string;
	/** Whether nothing was wrong with the board, the connections and the services. */
	isUndisturbed: boolean;
}

export class Verdicts {
	/** How many tests of each firmware had each result. */
	readonly counts = new Map<string, number>();
	readonly #violated: (rule: string, what: string) => void;

	constructor(violated: (rule: string, what: string) => void) {
		this.#violated = violated;
	}

	ended({ label, firmware, result, message, isUndisturbed }: Tested) {
		const name = `${firmware} ${result}`;
		this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
		if (result === verdictOf[firmware]) return;
		// Without a free board, nothing was tested.
		if (!verdicts.has(result) && (!isUndisturbed || result === 'no_board')) return;
		this.#violated(
			'verdicts are true',
			`${label}: firmware that ${firmware} is ${result}: ${message}`,
		);
	}
}
