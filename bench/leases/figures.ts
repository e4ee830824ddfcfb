// What a row of the report says: a figure, what is wanted of it, and what it was before.
import type { Table } from '../report.ts';
import { number } from '../statistics.ts';

export interface Figure {
	name: string;
	value: number;
	unit: string;
	most?: number;
	least?: number;
	/** At commit c785d1b5, before leases were made cheap. */
	before?: string;
}

export interface Finding {
	title: string;
	/** How it was measured. */
	text: string;
	figures: readonly Figure[];
}

export function tableOf({ figures }: Finding): Table {
	return {
		head: ['', 'before', 'now', 'wanted', 'holds'],
		rows: figures.map(({ name, value, unit, most, least, before = '' }) => [
			name,
			before,
			`${number(value)} ${unit}`.trim(),
			wanted({ most, least }),
			most === undefined && least === undefined
				? ''
				: value <= (most ?? value) && value >= (least ?? value)
					? 'yes'
					: '**no**',
		]),
	};
}

function wanted({ most, least }: { most?: number | undefined; least?: number | undefined }) {
	if (most !== undefined) return `≤ ${number(most)}`;
	return least === undefined ? '' : `≥ ${number(least)}`;
}
