// What the buttons and forms of the lease page do, by their names in the page.
import type { AnyLease } from 'board-access';
import { closest, getAll } from '../dom.ts';
import { isError, leaseOfPage, loadClient, messageOf } from './client.ts';
import { id, page, problem, say } from './page.ts';

type Fields = Record<string, string | undefined>;

const act =
	(word: string, work: (lease: AnyLease) => Promise<unknown>) => async (lease: AnyLease) => {
		say('The action was sent to the board.');
		try {
			await work(lease);
		} catch (error) {
			if (isError(error, 'ActionFailedError')) throw new Error(`${word} failed. ${error.message}`);
			throw error;
		}
		return `${word} is done.`;
	};

/** Each returns what to tell the visitor. */
const commands: Record<string, (lease: AnyLease, fields: Fields) => Promise<string>> = {
	reset: act('Reset', (lease) => lease.reset()),
	erase: act('Erase', (lease) => lease.erase()),
	power_on: act('Power on', (lease) => lease.power('on')),
	power_off: act('Power off', (lease) => lease.power('off')),
	power_cycle: act('Power cycle', (lease) => lease.power('cycle')),
	async renew() {
		const { is_renewed } = await post<{ is_renewed: boolean }>(`/leases/${id}/renew`);
		if (is_renewed) return 'The lease was renewed.';
		return 'The lease was not renewed: it already lasts as long as the service allows.';
	},
	async start() {
		await post(`/leases/${id}/start`);
		return 'Your minutes have begun.';
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

/** Sends a request that the client has no method for. */
async function post<Body>(path: string) {
	const { client } = await loadClient();
	// `crypto.randomUUID` needs https.
	const idempotencyKey = crypto.getRandomValues(new Uint32Array(4)).join('-');
	return client.request<Body>({ method: 'POST', path, idempotencyKey });
}

const running = new Set<string>();

async function runCommand(name: string, fields: Fields) {
	const command = commands[name];
	const key = JSON.stringify([name, fields]);
	if (!command || running.has(key)) return false;
	running.add(key);
	try {
		if (problem) throw new Error(problem);
		say(await command(await leaseOfPage(), fields));
		return true;
	} catch (error) {
		say(messageOf(error), true);
		return false;
	} finally {
		running.delete(key);
	}
}

function closeMenus() {
	for (const menu of getAll<HTMLDetailsElement>('.lease-actions .menu', page)) menu.open = false;
	page.querySelector<HTMLDialogElement>('dialog[open]')?.close();
}

export function startActions() {
	page.addEventListener('click', (event) => {
		const button = closest(event, 'button[data-do]');
		// Ignores the second click of a double click.
		if (!button || event.detail > 1) return;
		const { do: name = '', ...fields } = button.dataset;
		closeMenus();
		if (name === 'ask') page.querySelector<HTMLDialogElement>('dialog')?.showModal();
		else runCommand(name, fields);
	});
	page.addEventListener('submit', async (event) => {
		const form = event.target;
		if (!(form instanceof HTMLFormElement) || !form.dataset.do) return;
		event.preventDefault();
		event.stopPropagation();
		const fields = Object.fromEntries(new FormData(form)) as Fields; // without files
		if (await runCommand(form.dataset.do, fields)) form.reset();
	});
}
