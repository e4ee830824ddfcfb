// The result of a measurement.

export interface Table {
	title?: string;
	head: readonly string[];
	rows: readonly (readonly string[])[];
}

export interface Plot {
	/** The name of its file, without the ending. */
	name: string;
	title: string;
	svg: string;
}

export interface Section {
	name: string;
	title: string;
	text: readonly string[];
	plots: readonly Plot[];
	tables: readonly Table[];
}
