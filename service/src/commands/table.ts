// Lays rows out in columns, each as wide as its widest cell.
export const table = (rows: readonly (readonly string[])[]) => {
	const widths: number[] = [];
	for (const row of rows) {
		for (const [column, { length }] of row.entries()) {
			widths[column] = Math.max(widths[column] ?? 0, length);
		}
	}
	return rows
		.map((row) =>
			row
				.map((cell, column) => cell.padEnd(widths[column] ?? 0))
				.join('  ')
				.trimEnd(),
		)
		.join('\n');
};
