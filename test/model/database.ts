// The database of a history: opened once for a worker, filled anew for each history, and watched.
import {
	constants,
	DatabaseSync,
	type SQLInputValue,
	type SQLOutputValue,
	type StatementResultingChanges,
	type StatementSync,
} from 'node:sqlite';
import { evaluate, type Scripts } from './realm.ts';
import type { Process } from './simulation.ts';

/** A row as the database has it. */
export type Row = Readonly<Record<string, string | number | null>>;

/** A committed change of one row; `before` is absent for a new one. */
export interface RowChange {
	table: 'leases' | 'boards' | 'lease_actions' | 'credit_entries' | 'agents';
	row: Row;
}

/** How often a column was written, or a row of the table added or removed. */
interface Cell {
	writes: number;
}

/** Columns of these names change with every piece of the console. */
const notWatched = /^(console_|input_|data$|words$|name_key$)/;

/** A connection that says what it has committed. */
class WatchedConnection {
	readonly connection: DatabaseSync;
	onCommit: (changes: RowChange[]) => void = () => {};
	/** Grows with every change of a table, committed or not. */
	readonly versions: Record<RowChange['table'], number> = {
		leases: 0,
		boards: 0,
		lease_actions: 0,
		credit_entries: 0,
		agents: 0,
	};
	/** Grows with everything that a reader could wait for. */
	changes = 0;
	readonly #cells = new Map<string, Cell>();
	#read = new Set<Cell>();
	#written = new Set<Cell>();
	#pending: RowChange[] = [];
	#tables: string[] = [];
	readonly #backups = new Set<string>();

	constructor(connection: DatabaseSync) {
		this.connection = connection;
		connection.setAuthorizer((action, table, column) => {
			const { SQLITE_READ, SQLITE_UPDATE, SQLITE_INSERT, SQLITE_DELETE } = constants;
			if (action === SQLITE_READ) {
				for (const name of [String(table), `${table}.${column}`]) this.#read.add(this.#cell(name));
			} else if (action === SQLITE_UPDATE) this.#written.add(this.#cell(`${table}.${column}`));
			else if (action === SQLITE_INSERT || action === SQLITE_DELETE)
				this.#written.add(this.#cell(String(table)));
			return constants.SQLITE_OK;
		});
	}

	#cell(name: string) {
		const cell = this.#cells.get(name) ?? { writes: 0 };
		this.#cells.set(name, cell);
		return cell;
	}

	/** Prepares a statement; one that only reads is run again after a change of what it reads. */
	prepare(sql: string, prepare: (sql: string) => StatementSync): StatementSync {
		this.#read = new Set();
		this.#written = new Set();
		const statement = prepare(sql);
		const [read, written] = [[...this.#read], [...this.#written]];
		if (written.length > 0) return noteWrites(statement, written);
		if (read.length === 0) return statement;
		return keepRows(statement, read);
	}

	/** All may have changed. */
	forget() {
		for (const cell of this.#cells.values()) cell.writes += 1;
	}

	/** From now on every change of the watched tables is reported. */
	watch() {
		const { connection } = this;
		connection.function('model_change', { varargs: true }, (table, json) => {
			// The triggers call it with these.
			const name = table as RowChange['table'];
			this.versions[name] += 1;
			if (name !== 'agents') this.changes += 1;
			this.#pending.push({ table: name, row: JSON.parse(String(json)) });
			return null;
		});
		connection.function('model_touch', () => {
			this.changes += 1;
			return null;
		});
		const touches = [
			'update of console_end, console_change, console_sync, console_synced, input_end on main.leases',
			'update of connection_id on main.agents',
			'insert on main.lease_actions',
		];
		for (const [index, on] of touches.entries()) {
			connection.exec(
				`create temp trigger model_touch_${index} after ${on} begin select model_touch(); end`,
			);
		}
		for (const table of Object.keys(this.versions)) {
			const columns = columnsOf(connection, table).filter((name) => !notWatched.test(name));
			const object = columns.map((name) => `'${name}', new.${name}`).join(', ');
			const call = `select model_change('${table}', json_object(${object}));`;
			connection.exec(`
				create temp trigger model_${table}_insert after insert on main.${table} begin ${call} end;
				create temp trigger model_${table}_update after update of ${columns.join(', ')} on main.${table} begin ${call} end;
			`);
		}
	}

	/** Keeps the rows as they are now, to return to them. */
	keepTemplate() {
		const { connection } = this;
		this.#tables = connection
			.prepare(`select name from sqlite_master where type = 'table' and name not like 'sqlite_%'`)
			.all()
			.map(({ name }) => String(name));
		connection.exec(`attach ':memory:' as template`);
		for (const table of this.#tables) {
			connection.exec(`create table template.${table} as select * from main.${table}`);
		}
	}

	/** Returns to the rows of the template. */
	reset() {
		this.#dropBackups();
		this.#copy('template', 'main');
		for (const table of ['leases', 'boards', 'lease_actions'] as const) this.versions[table] += 1;
		this.#pending = [];
	}

	/** Keeps the rows as they are now, and returns the function that restores them. */
	backup(): () => void {
		const name = `backup_${this.#backups.size}`;
		this.#backups.add(name);
		this.connection.exec(`attach ':memory:' as ${name}`);
		for (const table of this.#tables) {
			this.connection.exec(`create table ${name}.${table} as select * from main.${table}`);
		}
		return () => {
			this.#copy(name, 'main');
			for (const table of ['leases', 'boards', 'lease_actions'] as const) this.versions[table] += 1;
			this.#pending = [];
		};
	}

	#dropBackups() {
		for (const name of this.#backups) this.connection.exec(`detach ${name}`);
		this.#backups.clear();
	}

	#copy(from: string, to: string) {
		const { connection } = this;
		// What triggers count is replaced again: their tables come last.
		const counted = ['board_changes', 'lease_changes'];
		const tables = [...this.#tables.filter((name) => !counted.includes(name)), ...counted];
		connection.exec('begin; pragma defer_foreign_keys = on');
		for (const table of tables) connection.exec(`delete from ${to}.${table}`);
		for (const table of tables) {
			if (counted.includes(table)) connection.exec(`delete from ${to}.${table}`);
			connection.exec(`insert into ${to}.${table} select * from ${from}.${table}`);
		}
		connection.exec('commit');
		this.forget();
	}

	/** Reports what was committed since the last time. */
	flush() {
		if (this.#pending.length === 0 || this.connection.isTransaction) return;
		this.onCommit(this.#pending.splice(0));
	}

	discard() {
		this.#pending = [];
		this.forget();
	}

	all(sql: string, ...values: (string | number | null)[]): Row[] {
		return this.connection.prepare(sql).all(...values) as Row[]; // no column has bytes or bigints
	}
}

/** Its methods, without names of parameters, which the service never uses. */
function plainly(statement: StatementSync) {
	const all: (...values: SQLInputValue[]) => Record<string, SQLOutputValue>[] =
		statement.all.bind(statement);
	const run: (...values: SQLInputValue[]) => StatementResultingChanges =
		statement.run.bind(statement);
	return { all, run };
}

function noteWrites(statement: StatementSync, written: readonly Cell[]): StatementSync {
	const { all, run } = plainly(statement);
	const note = () => {
		for (const cell of written) cell.writes += 1;
	};
	return Object.assign(statement, {
		all(...values: SQLInputValue[]) {
			const rows = all(...values);
			if (rows.length > 0) note();
			return rows;
		},
		run(...values: SQLInputValue[]) {
			const result = run(...values);
			if (result.changes !== 0) note();
			return result;
		},
	});
}

function keepRows(statement: StatementSync, read: readonly Cell[]): StatementSync {
	const { all } = plainly(statement);
	const kept = new Map<string, ReturnType<typeof all>>();
	let writes = -1;
	return Object.assign(statement, {
		all(...values: SQLInputValue[]) {
			const now = read.reduce((sum, cell) => sum + cell.writes, 0);
			if (now !== writes) kept.clear();
			writes = now;
			const key = JSON.stringify(values);
			const rows = kept.get(key) ?? all(...values).map((row) => Object.freeze({ ...row }));
			kept.set(key, rows);
			return [...rows];
		},
	});
}

function columnsOf(connection: DatabaseSync, table: string) {
	return connection
		.prepare(`pragma main.table_info(${table})`)
		.all()
		.map(({ name }) => String(name));
}

/** What the service calls a database, and the connection below it. */
export interface OpenedDatabase {
	database: Record<string, unknown>;
	watched: WatchedConnection;
	service: Record<string, unknown>;
}

/** Opens a database with the schema of the service, by the service's own code. */
export async function openModelDatabase(
	scripts: Scripts,
	process: Process,
): Promise<OpenedDatabase> {
	let connection: WatchedConnection | undefined;
	class ReportingDatabase extends DatabaseSync {
		constructor(...values: ConstructorParameters<typeof DatabaseSync>) {
			super(...values);
			connection = new WatchedConnection(this);
		}

		override prepare(sql: string): StatementSync {
			const prepare = (text: string) => super.prepare(text);
			const statement = connection?.prepare(sql, prepare) ?? prepare(sql);
			if (sql !== 'commit' && sql !== 'rollback') return statement;
			const run = statement.run.bind(statement);
			// Neither has parameters.
			statement.run = () => {
				const result = run();
				if (sql === 'commit') connection?.flush();
				else connection?.discard();
				return result;
			};
			return statement;
		}
	}
	const modules = { 'node:sqlite': { DatabaseSync: ReportingDatabase } };
	const service = evaluate(scripts, 'service', { process, modules });
	// The script exports these functions of the service.
	const { openDatabase, migrate } = service as {
		openDatabase(location: string): Promise<{ query: unknown }>;
		migrate(query: unknown): Promise<unknown>;
	};
	const database = await openDatabase(':memory:');
	await migrate(database.query);
	if (!connection) throw new Error('The service opened no database');
	return { database: { ...database, close: async () => {} }, watched: connection, service };
}
