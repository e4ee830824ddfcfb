// Firmware that was chosen while a lease waited: this browser keeps it until the board is ready.
import type { FirmwareOptions } from './options.ts';

const day = 24 * 60 * 60 * 1000;

export interface Choice extends FirmwareOptions {
	file: File;
}

function open() {
	return new Promise<IDBDatabase>((resolve, reject) => {
		const request = indexedDB.open('board-access', 1);
		request.onupgradeneeded = () => request.result.createObjectStore('firmware');
		request.onsuccess = () => resolve(request.result);
		request.onerror = () => reject(request.error);
	});
}

/** The page of a lease opens the database only with this mark: most leases have no such firmware. */
function mark(id: string) {
	return `firmware ${id}`;
}

function deleteOld(store: IDBObjectStore) {
	const request = store.openCursor();
	request.onsuccess = () => {
		const cursor = request.result;
		if (!cursor) return;
		if (cursor.value.at < Date.now() - day) {
			cursor.delete();
			localStorage.removeItem(mark(String(cursor.key)));
		}
		cursor.continue();
	};
}

async function inStore<Result>(work: (store: IDBObjectStore) => IDBRequest<Result>) {
	const database = await open();
	const transaction = database.transaction('firmware', 'readwrite');
	const store = transaction.objectStore('firmware');
	deleteOld(store);
	const request = work(store);
	return new Promise<Result>((resolve, reject) => {
		transaction.oncomplete = () => resolve(request.result);
		transaction.onabort = () => reject(transaction.error);
	}).finally(() => database.close());
}

export async function keep(id: string, choice: Choice) {
	await inStore((store) => store.put({ ...choice, at: Date.now() }, id));
	localStorage.setItem(mark(id), '');
}

export function readKept(id: string): Promise<Choice | undefined> {
	return inStore((store) => store.get(id));
}

/** Whoever takes it is the only one, of all tabs. */
export async function take(id: string): Promise<Choice | undefined> {
	if (localStorage.getItem(mark(id)) === null) return undefined;
	const choice = await inStore((store) => {
		const request = store.get(id);
		store.delete(id);
		return request;
	});
	localStorage.removeItem(mark(id));
	return choice;
}
