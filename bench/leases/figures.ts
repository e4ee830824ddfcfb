// What a row of the report says: a figure, what is wanted of it, and what it was before.
import type { Table } from '../report.ts';
import { number } from '../statistics.ts';
import type { Usage } from './meter.ts';

interface Wanted {
	most?: number;
	least?: number;
	/** At commit c785d1b5, before leases were made cheap. */
	before?: string;
}

export interface Figure extends Wanted {
	name: string;
	value: number;
	unit: string;
}

export function figure(name: string, value: number, unit: string, wanted: Wanted = {}): Figure {
	return { name, value, unit, ...wanted };
}

export interface Finding {
	title: string;
	/** How it was measured. */
	text: string;
	figures: readonly Figure[];
	/** What a load costs on PostgreSQL, which is used in each second. */
	loads?: readonly (readonly [name: string, used: Usage])[];
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

/** Costs to multiply and to add up. */
export function coreTable(findings: readonly Finding[]): Table {
	const cores = (milliseconds: number) => (milliseconds / 1_000).toFixed(3);
	return {
		head: ['', 'service cores', 'database cores', 'statements a second'],
		rows: findings
			.flatMap(({ loads = [] }) => loads)
			.map(([name, { service, database, statements }]) => [
				...[name, cores(service), cores(database), number(statements)],
			]),
	};
}
