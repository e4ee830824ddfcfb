// What the buttons and the forms of the lease page do, by the names that they have in the page.
import type { AnyLease } from 'board-access';
import { closest, getAll } from '../dom.ts';
import { isError, leaseOfPage, loadClient, messageOf } from './client.ts';
import { id, page, problem, say } from './page.ts';

type Fields = Record<string, string | undefined>;

const actionWords = {
	reset: 'Reset',
	erase: 'Erase',
	power_on: 'Power on',
	power_off: 'Power off',
	power_cycle: 'Power cycle',
	flash_again: 'Flash',
} as const;

type ActionName = keyof typeof actionWords;

const works: Record<ActionName, (lease: AnyLease) => Promise<unknown>> = {
	reset: (lease) => lease.reset(),
	erase: (lease) => lease.erase(),
	power_on: (lease) => lease.power('on'),
	power_off: (lease) => lease.power('off'),
	power_cycle: (lease) => lease.power('cycle'),
	flash_again: (lease) => flashAgain(lease),
};

const act = (name: ActionName) => async (lease: AnyLease) => {
	say('The action was sent to the board.');
	await works[name](lease);
	return `${actionWords[name]} is done.`;
};

/** Each returns what to say. */
const deeds: Record<string, (lease: AnyLease, fields: Fields) => Promise<string>> = {
	...Object.fromEntries(Object.keys(works).map((name) => [name, act(name as ActionName)])),
	async renew() {
		const { is_renewed } = await post<{ is_renewed: boolean }>('renew');
		if (is_renewed) return 'The lease was renewed.';
		return 'The lease was not renewed: it already lasts as long as the service allows.';
	},
	async start() {
		await post('start');
		return 'Your minutes have begun.';
	},
	async release(lease) {
		await lease.release();
		return '';
	},
	async share(lease, { email = '', access }) {
		await lease.share(email, { access: access === 'type' ? access : 'look' });
		return `The lease is shared with “${email}”.`;
	},
	async unshare(lease, { email = '' }) {
		await lease.unshare(email);
		return `The lease is no longer shared with “${email}”.`;
	},
};

/** Does what only the page of a lease can do. */
async function post<Body>(name: string) {
	const { client } = await loadClient();
	const idempotencyKey = Array.from(crypto.getRandomValues(new Uint32Array(4))).join('-');
	return client.request<Body>({ method: 'POST', path: `/leases/${id}/${name}`, idempotencyKey });
}

/** The service knows what was flashed last. */
async function flashAgain(lease: AnyLease) {
	const { id: actionId } = await post<{ id: string }>('flash-again');
	const { client } = await loadClient();
	for (;;) {
		const path = `/v1/leases/${lease.id}/actions/${actionId}`;
		const action = await client.request<{ status: string; message: string }>({
			method: 'GET',
			path,
			query: { wait: 5 },
		});
		if (action.status === 'done') return;
		if (action.status === 'failed') throw new Error(action.message);
	}
}

const underWay = new Set<string>();

async function carryOut(name: string, fields: Fields) {
	const deed = deeds[name];
	const key = JSON.stringify([name, fields]);
	if (!deed || underWay.has(key)) return false;
	underWay.add(key);
	try {
		if (problem) throw new Error(problem);
		say(await deed(await leaseOfPage(), fields));
		return true;
	} catch (error) {
		const isFailure = isError(error, 'ActionFailedError') && name in actionWords;
		const words = isFailure ? `${actionWords[name as ActionName]} failed. ` : '';
		say(words + messageOf(error), true);
		return false;
	} finally {
		underWay.delete(key);
	}
}

function closeMenus() {
	for (const menu of getAll<HTMLDetailsElement>('.lease-actions .menu', page)) menu.open = false;
	page.querySelector<HTMLDialogElement>('dialog[open]')?.close();
}

export function startActions() {
	page.addEventListener('click', (event) => {
		const button = closest(event, 'button[data-do]');
		// The second click of a double click is not meant.
		if (!button || event.detail > 1) return;
		const { do: name = '', ...fields } = button.dataset;
		closeMenus();
		if (name === 'ask') page.querySelector<HTMLDialogElement>('dialog')?.showModal();
		else carryOut(name, fields);
	});
	page.addEventListener('submit', async (event) => {
		const form = event.target;
		if (!(form instanceof HTMLFormElement) || !form.dataset.do) return;
		// The service asks whether to release a board on which an action runs.
		const isBusy = page.querySelector('.step-queued, .step-running');
		if (form.dataset.do === 'release' && isBusy) return;
		event.preventDefault();
		event.stopPropagation();
		const fields = Object.fromEntries(new FormData(form)) as Fields; // without files
		if (await carryOut(form.dataset.do, fields)) form.reset();
	});
	// Before the console takes it as Enter.
	const isAgain = ({ key, ctrlKey, shiftKey, altKey, repeat }: KeyboardEvent) =>
		key === 'Enter' && ctrlKey && shiftKey && !altKey && !repeat;
	document.addEventListener(
		'keydown',
		(event) => {
			if (!isAgain(event)) return;
			event.preventDefault();
			event.stopPropagation();
			page.querySelector<HTMLButtonElement>('button[data-do=flash_again]')?.click();
		},
		true,
	);
}
