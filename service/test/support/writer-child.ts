// Another program that holds the write lock of an SQLite file until it is killed: node writer-child.ts <file>
import { DatabaseSync } from 'node:sqlite';

const database = new DatabaseSync(process.argv[2] ?? '');
database.exec('begin immediate');
process.send?.('locked');
setInterval(() => {}, 1_000_000);
