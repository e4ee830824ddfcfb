import type { Kysely } from 'kysely';

export async function confirmConsoleInput(db: Kysely<unknown>) {
	// How much of the input the agent has written to the board.
	await db.schema
		.alterTable('leases')
		.addColumn('input_taken', 'bigint', (column) => column.notNull().defaultTo(0))
		.execute();
	// Whether the console is connected, as the agent reports it.
	const add = (name: string, type: 'text' | 'integer' | 'bigint') =>
		db.schema.alterTable('leases').addColumn(name, type).execute();
	await add('console_change', 'integer');
	await add('console_status', 'text');
	await add('console_message', 'text');
	await add('console_lost_at', 'text');
	await add('console_gap_offset', 'bigint');
	await add('console_gap_ms', 'integer');
	// How often the agent was asked for all output until then, and how often it has sent it.
	for (const name of ['console_sync', 'console_synced'])
		await db.schema
			.alterTable('leases')
			.addColumn(name, 'integer', (column) => column.notNull().defaultTo(0))
			.execute();
}
