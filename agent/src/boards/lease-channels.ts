// The channels of a lease: each connects a tool of its user to a port of the board.
import { Channel, channelWindow, lineSettings, usualLine } from 'board-access-contract';
import type { BoardPort, OpenPort } from '../drivers/hardware.ts';
import { messageOf } from '../errors.ts';
import type { Permit } from '../link/contact.ts';
import { type LeaseOnBoard, type Service, ServiceError } from '../link/service.ts';
import type { LeaseState } from '../link/work.ts';
import type { AgentLog } from '../log.ts';

type AgentChannel = LeaseState['channels'][number];

interface ChannelsOptions extends LeaseOnBoard {
	readonly service: Pick<Service, 'channel' | 'carrier'>;
	readonly log: AgentLog;
	/** A frozen agent may find bytes in its socket that were sent to a lease that is over. */
	readonly permit: Permit;
	/** Resolves once the board is open for this lease. */
	ready(): Promise<void>;
	portOf(channel: AgentChannel): BoardPort | undefined;
	/** The processor is halted by the debugger of this channel, or runs. */
	onHalted(channelId: string | undefined): void;
}

export class LeaseChannels {
	readonly #options: ChannelsOptions;
	readonly #open = new Map<string, Channel>();
	readonly #closing = new Set<Promise<void>>();

	constructor(options: ChannelsOptions) {
		this.#options = options;
	}

	/** Opens channels that are new, and ends those that are gone. */
	update(wanted: readonly AgentChannel[]): void {
		const ids = new Set(wanted.map(({ id }) => id));
		for (const [id, channel] of this.#open) if (!ids.has(id)) channel.end(gone);
		for (const channel of wanted) {
			if (!this.#open.has(channel.id)) this.#serve(channel);
		}
	}

	/** The agent no longer serves the lease. Resolves when no port is open any more. */
	async end(): Promise<void> {
		for (const channel of this.#open.values()) channel.end(released);
		await Promise.all(this.#closing);
	}

	#serve(wanted: AgentChannel) {
		const { service, permit, log, boardId } = this.#options;
		let opening: Promise<OpenPort> | undefined;
		const channel = new Channel({
			...service.carrier,
			place: async () => {
				// So that the tool of the user is connected to a port that is open.
				opening ??= this.#openPort(wanted, channel);
				await opening.catch((error: unknown) => channel.end(failed(error)));
				return service.channel(wanted.id, this.#options);
			},
			isFinal: (error) => error instanceof ServiceError && !error.temporary,
			async onData(bytes) {
				await permit();
				await (await opening)?.write(bytes);
			},
			async onMessage(message) {
				const settings = lineSettings.safeParse(message);
				await permit();
				// Whoever asks for what is not possible gets what there is.
				const line = await (await opening)?.set?.(settings.success ? settings.data : {});
				await channel.sendMessage({ ...(line ?? usualLine), answer: true });
			},
		});
		this.#open.set(wanted.id, channel);
		const closing = channel.closed.then(async ({ code, message }) => {
			log.info({ boardId, channelId: wanted.id, code, reason: message }, 'A channel has ended');
			const port = await opening?.catch(() => undefined);
			await port?.close().catch(() => {});
			this.#open.delete(wanted.id);
			this.#closing.delete(closing);
		});
		this.#closing.add(closing);
	}

	async #openPort(wanted: AgentChannel, channel: Channel): Promise<OpenPort> {
		const { portOf, permit, ready, onHalted } = this.#options;
		const port = portOf(wanted);
		if (!port) throw new Error('The board has no such port');
		await ready();
		await permit();
		let isHalted = false;
		const halted = (next: boolean) => {
			if (next !== isHalted) onHalted(next ? wanted.id : undefined);
			isHalted = next;
		};
		void channel.closed.then(() => halted(false));
		let waiting = 0;
		return port.open({
			async output(bytes) {
				waiting += bytes.length;
				if (waiting > channelWindow) channel.end(overrun);
				await channel.write(bytes).catch(() => {}); // it has ended
				waiting -= bytes.length;
			},
			line: (state) => void channel.sendMessage(state).catch(() => {}),
			halted,
			closed: (message) => channel.end({ code: 'port_failed', message }),
		});
	}
}

const failed = (error: unknown) => ({ code: 'port_failed', message: messageOf(error) });
const released = { code: 'agent_lost', message: 'The agent has released the board' };
const gone = { code: 'closed', message: 'The channel is over' };
const overrun = { code: 'overrun', message: 'The board has printed more than was read' };
