import type { Kysely } from 'kysely';

export async function confirmConsoleInput(db: Kysely<unknown>) {
	// How much of the input the agent has written to the board.
	await db.schema
		.alterTable('leases')
		.addColumn('input_taken', 'bigint', (column) => column.notNull().defaultTo(0))
		.execute();
}
