// Firmware that was chosen while a lease waited: this browser keeps it until the board is ready.
const day = 24 * 60 * 60 * 1000;

const open = () =>
	new Promise((resolve, reject) => {
		const request = indexedDB.open('board-access', 1);
		request.onupgradeneeded = () => request.result.createObjectStore('firmware');
		request.onsuccess = () => resolve(request.result);
		request.onerror = () => reject(request.error);
	});

/** The page of a lease opens the database only with this mark: most leases have no such firmware. */
const mark = (id) => `firmware ${id}`;

const deleteOld = (store) => {
	store.openCursor().onsuccess = ({ target: { result: cursor } }) => {
		if (!cursor) return;
		if (cursor.value.at < Date.now() - day) {
			cursor.delete();
			localStorage.removeItem(mark(cursor.key));
		}
		cursor.continue();
	};
};

const inStore = async (work) => {
	const database = await open();
	const transaction = database.transaction('firmware', 'readwrite');
	const store = transaction.objectStore('firmware');
	deleteOld(store);
	const request = work(store);
	return new Promise((resolve, reject) => {
		transaction.oncomplete = () => resolve(request.result);
		transaction.onabort = () => reject(transaction.error);
	}).finally(() => database.close());
};

export const keep = async (id, choice) => {
	await inStore((store) => store.put({ ...choice, at: Date.now() }, id));
	localStorage.setItem(mark(id), '');
};

export const readKept = (id) => inStore((store) => store.get(id));

/** Whoever takes it is the only one, of all tabs. */
export const take = async (id) => {
	const choice = await inStore((store) => {
		const request = store.get(id);
		store.delete(id);
		return request;
	});
	localStorage.removeItem(mark(id));
	return choice;
};
