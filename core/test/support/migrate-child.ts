// A replica in its own process that only migrates: node migrate-child.ts <database>
import { openDatabase } from '../../src/database/database.ts';
import { migrate } from '../../src/database/migrations.ts';

const database = await openDatabase(process.argv[2] ?? '');
console.log(JSON.stringify(await migrate(database.query)));
await database.close();
