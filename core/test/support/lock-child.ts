// A replica that takes locks in a transaction and then does nothing.
import { openDatabase } from '../../src/database/database.ts';

const { query } = await openDatabase(process.argv[2] ?? '');
await query.transaction().execute(async (db) => {
	await db.selectFrom('accounts').select('id').forUpdate().execute();
	await db.selectFrom('boards').select('id').forUpdate().execute();
	process.send?.('locked');
	await new Promise(() => setInterval(() => {}, 1_000_000));
});
