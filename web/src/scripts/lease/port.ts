// The settings of the serial ports, while they are shown. Other ports than that of the console show their output, too.
import type { SerialChannel, SerialLine } from 'board-access';
import { get } from '../dom.ts';
import { leaseOfPage, messageOf } from './client.ts';
import { page, say } from './page.ts';

const maxShown = 8 * 1024;

export function startPorts() {
	const details = page.querySelector<HTMLDetailsElement>('[data-port]');
	if (!details) return;
	const form = get<HTMLFormElement>('[data-port-settings]', details);
	const output = get('[data-port-output]', details);
	const fields = form.elements as typeof form.elements & Record<string, HTMLInputElement>; // those of the page
	let open: Promise<SerialChannel | undefined> | undefined;

	const show = ({ baud, parity, dtr, rts, cts, dsr }: SerialLine) => {
		Object.assign(fields.baud ?? {}, { value: String(baud) });
		Object.assign(fields.parity ?? {}, { value: parity });
		Object.assign(fields.dtr ?? {}, { checked: dtr });
		Object.assign(fields.rts ?? {}, { checked: rts });
		const word = (isOn: boolean) => (isOn ? 'on' : 'off');
		get('[data-port-lines]', form).textContent = `CTS ${word(cts)}, DSR ${word(dsr)}`;
	};

	const close = async () => {
		const before = open;
		open = undefined;
		await (await before)?.close();
	};

	const connect = async () => {
		const port = fields.port?.value || undefined;
		const channel = await (await leaseOfPage()).channel('serial', { port });
		show(channel.line);
		channel.onLine(show);
		output.hidden = port === undefined;
		output.textContent = '';
		void follow(channel, output);
		return channel;
	};

	const reopen = async () => {
		await close();
		if (!details.open) return;
		open = connect().catch((error) => {
			say(messageOf(error), true);
			details.open = false;
			return undefined;
		});
	};

	details.addEventListener('toggle', reopen);
	form.addEventListener('change', async ({ target }) => {
		if (target === fields.port) return reopen();
		const parity = fields.parity?.value as SerialLine['parity']; // an option of the page
		const isChecked = (name: string) => fields[name]?.checked ?? false;
		const lines = { dtr: isChecked('dtr'), rts: isChecked('rts') };
		const settings = { baud: Number(fields.baud?.value), parity, ...lines };
		if (!form.reportValidity()) return;
		try {
			const line = await (await open)?.set(settings);
			if (line) show(line);
		} catch (error) {
			say(messageOf(error), true);
		}
	});
}

/** The console has a view of its own. */
async function follow({ readable }: SerialChannel, output: HTMLElement) {
	if (output.hidden) return readable.cancel();
	const decoder = new TextDecoder();
	const reader = readable.getReader();
	for (;;) {
		const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }));
		if (done) return;
		const text = output.textContent + decoder.decode(value, { stream: true });
		output.textContent = text.slice(-maxShown);
		output.scrollTop = output.scrollHeight;
	}
}
