// One history: builds the processes of a plan, runs it in virtual time, and returns the violated rules.
import os from 'node:os';
import type { BoardAccess } from 'board-access';
import type { runFirmwareTest } from '../../src/ci/firmware-test.ts';
import { type OpenedDatabase, openModelDatabase } from './database.ts';
import { type RequestFault, randomFaults, recordedFaults } from './faults.ts';
import { type HardwareFault, SimulatedBoard } from './hardware.ts';
import { Network, type Server } from './network.ts';
import { accounts, type Moment, type Plan, type Site, type Trouble } from './plan.ts';
import { type Random, randomOf } from './random.ts';
import { evaluate, type Scripts, watchLoops } from './realm.ts';
import { Rules, type Violation } from './rules.ts';
import { emailOf, seedSite } from './seed.ts';
import { Process, Simulation } from './simulation.ts';
import { Troubles } from './troubles.ts';
import { runUser } from './users.ts';

export interface Outcome {
	violations: Violation[];
	/** The faults of requests that have happened. */
	faults: RequestFault[];
	digest: number;
	events: number;
	/** Virtual milliseconds. */
	time: number;
	lines: string[] | undefined;
}

/** A site with its database, which serves one history after the other. */
export interface Ground {
	site: Site;
	clock: DatabaseProcess;
	opened: OpenedDatabase;
	/** The API key of each account. */
	keys: string[];
	accountIds: string[];
	/** The token of each agent. */
	tokens: ReadonlyMap<string, string>;
}

/** The process in which the database was opened; its clock is that of the history that runs. */
class DatabaseProcess extends Process {
	history: Simulation;

	constructor(simulation: Simulation) {
		super(simulation, { name: 'database', random: randomOf('database') });
		this.history = simulation;
	}

	override get uptime() {
		return this.history.now;
	}

	override after(milliseconds: number, run: () => void) {
		return this.history.after(milliseconds, run);
	}
}

/** Opens the database of a site and fills it. */
export async function prepareGround(
	scripts: Scripts,
	site: Site,
	count = accounts,
): Promise<Ground> {
	const clock = new DatabaseProcess(new Simulation('ground'));
	const opened = await openModelDatabase(scripts, clock);
	const credentials = await seedSite(opened, site, count);
	opened.watched.keepTemplate();
	opened.watched.watch();
	return { site, clock, opened, ...credentials };
}

const minute = 60_000;
const hour = 60 * minute;
const longest = hour;

const shareOf = 'select access from lease_shares where lease_id = ? and email = ?';

/** What other processes of a user are named. */
const ofUser = /-(?:visitor|watcher).*/;

const outputBetween = `select 1 from console_chunks where lease_id = ? and direction = 'output'
	and "offset" + length(data) > ? and "offset" < ? limit 1`;

export interface HistoryOptions {
	/** Keeps the lines of what happens. */
	trace?: boolean;
	/** Leaves out work that would find nothing. */
	shortcuts?: boolean;
	/** Receives the function to call with an error that nobody handles. */
	onCrash?: (handler: (error: unknown) => void) => void;
	/** For histories of weeks. */
	long?: LongOptions;
}

interface LongOptions {
	/** Of the service. */
	settings: object;
	/** When it ends at the latest. */
	longest: number;
	/** Lets everything stand still while nobody has anything to do. */
	leaps: boolean;
	/** Called once a second, as far as nothing stands still. */
	onSecond(view: View): void;
}

/** What a history of weeks is measured by. */
export interface View {
	readonly simulation: Simulation;
	readonly rules: Rules;
	readonly network: Network;
	readonly opened: OpenedDatabase;
	/** How long everything stood still, in milliseconds. */
	readonly leapt: number;
}

/** Runs a plan to its end. */
export async function runHistory(
	scripts: Scripts,
	ground: Ground,
	plan: Plan,
	options: HistoryOptions = {},
): Promise<Outcome> {
	const world = new World(scripts, ground, plan, options);
	return await world.run();
}

interface RunningService extends Server {
	clock: ServiceClock;
	close(): void;
}

class World {
	readonly #scripts: Scripts;
	readonly #ground: Ground;
	readonly #plan: Plan;
	readonly #simulation: Simulation;
	readonly #network: Network;
	readonly #rules: Rules;
	readonly #troubles: Troubles;
	readonly #boards: ReadonlyMap<string, SimulatedBoard>;
	readonly #services = new Map<string, RunningService>();
	readonly #processes = new Map<string, Process>();
	readonly #fences = new Map<string, Map<string, number>>();
	readonly #fullDisks = new Set<string>();
	readonly #starts = new Map<string, number>();
	readonly #nextJobs = new Map<string, number>();
	readonly #wakes = new Map<string, (names: string[]) => void>();
	readonly #awaited = new Set<Trouble>();
	readonly #failures = new Set<Process>();
	readonly #agents = new Map<string, OperatedAgent>();
	readonly #faults: RequestFault[] = [];
	readonly #backups = new Map<Trouble, () => void>();
	readonly #hasShortcuts: boolean;
	readonly #offsets = new Map<string, number>();
	readonly #long: LongOptions | undefined;
	#leapt = 0;
	/** Since when there is no lease and no call. */
	#idleSince = 0;
	#clock: ServiceClock | undefined;
	/** When a wall clock that services follow was set last. */
	#setAt = Number.NEGATIVE_INFINITY;
	#isCalm = false;

	constructor(
		scripts: Scripts,
		ground: Ground,
		plan: Plan,
		{ trace = false, shortcuts = true, onCrash, long }: HistoryOptions,
	) {
		this.#long = long;
		this.#scripts = scripts;
		this.#ground = ground;
		this.#plan = plan;
		this.#hasShortcuts = shortcuts;
		this.#simulation = new Simulation(plan.seed, { trace });
		const { boards } = ground.site;
		const services = Array.from({ length: plan.replicas }, (_, index) => `service-${index + 1}`);
		this.#troubles = new Troubles(this.#simulation, {
			boards: new Map(boards.map(({ id, agent }) => [id, agent])),
			services,
		});
		this.#troubles.hasBoardFaults = plan.boardFaults.length > 0 || plan.boardRates !== undefined;
		this.#rules = new Rules(this.#simulation, this.#troubles);
		onCrash?.((error) => {
			const name = this.#simulation.current?.name ?? 'the network';
			this.#rules.violated(
				'no process ends by itself',
				`${name}: ${error instanceof Error ? error.stack : error}`,
			);
		});
		this.#simulation.onSpin = ({ name }) => this.#rules.violated('nothing spins', name);
		const { requestFaults } = plan;
		this.#network = new Network(this.#simulation, {
			faults:
				'list' in requestFaults
					? recordedFaults(requestFaults.list)
					: randomFaults(
							(...names) => this.#simulation.random(...names),
							(who) => requestFaults.rates[who.replace(ofUser, '')] ?? {},
						),
			serverFor: (id) => this.#serverFor(id),
			onFault: (fault) => this.#noteFault(fault),
			onRequest: ({ id, client, path }, { url, body }) => {
				if (path === '/agent/work') this.#rules.operated.connects(id, client, body);
				if (path.includes('/shares')) this.#rules.sharing.requested(path, body);
				// The agent sends bytes there.
				if (path.startsWith('/agent/console/'))
					this.#rules.console.uploaded(client, url, body as Uint8Array);
				// A connection counts once it is accepted.
				if (path.startsWith('/agent/') && path !== '/agent/work') this.#heard(client);
			},
			onStream: ({ id, client, path }) => {
				if (path === '/agent/work') this.#rules.operated.connected(id, client);
				if (path === '/agent/work') this.#heard(client);
				if (client.name.endsWith('-twin'))
					this.#rules.twinConnected(client.name.replace('-twin', ''));
			},
			onReceived: (exchange, status, text) => {
				if (status === 500)
					this.#rules.violated(
						'no internal error',
						`${exchange.id} ${exchange.method} ${exchange.path}`,
					);
				if (exchange.path === '/agent/stop' && status === 204)
					this.#rules.operated.stopped(exchange.client);
				if (status === 402) this.#rules.outOfCredits.add(exchange.path.split('/')[2] ?? '');
				if (exchange.path.includes('/actions') && text.includes('"status":"failed"')) {
					this.#failures.add(exchange.client);
					this.#causeAwaited('failed');
				}
			},
		});
		this.#boards = new Map(boards.map(({ id, actions }) => [id, this.#board(id, actions, 1)]));
	}

	async run(): Promise<Outcome> {
		const simulation = this.#simulation;
		const { clock, opened } = this.#ground;
		clock.history = simulation;
		clock.offset = 0;
		simulation.serviceTime = () => this.#serviceTime();
		watchLoops(simulation);
		opened.watched.reset();
		this.#load();
		opened.watched.onCommit = (changes) => this.#rules.committed(changes);
		const { site, replicas, users, troubles } = this.#plan;
		simulation.note(`site ${site}`);
		for (let replica = 1; replica <= replicas; replica++) this.#startService(`service-${replica}`);
		for (const agent of this.#ground.tokens.keys()) {
			simulation.after(50, () => this.#startAgent(agent));
		}
		for (const { name } of users) simulation.after(1_000, () => this.#startUser(name));
		for (const trouble of troubles) {
			simulation.at(trouble.at, () => {
				if (trouble.moment) this.#awaited.add(trouble);
				else this.#cause(trouble);
			});
		}
		this.#rules.accessOf = (lease, email) => {
			const [share] = opened.watched.all(shareOf, lease, email);
			return share ? String(share.access) : null;
		};
		this.#rules.keepsOutput = (lease, from, to) =>
			opened.watched.all(outputBetween, lease, from, to).length > 0;
		this.#rules.onMoment = (moment) => this.#causeAwaited(moment);
		this.#keepBackups();
		simulation.at(this.#plan.calmAt, () => this.#becomeCalm());
		this.#watch();
		await simulation.run(this.#long?.longest ?? longest);
		this.#rules.finish();
		for (const service of this.#services.values()) service.close();
		opened.watched.onCommit = () => {};
		const { violations } = this.#rules;
		const { digest, events, now: time, lines } = simulation;
		return { violations, faults: this.#faults, digest, events, time, lines };
	}

	#heard({ name }: Process) {
		this.#rules.costs.heard(name.replace('-twin', ''));
	}

	/** Looks at everything once a second, and ends the history when all is over. */
	#watch() {
		this.#simulation.after(1_000, () => {
			this.#ground.opened.watched.flush();
			this.#rules.watch((board) => this.#boards.get(board)?.session);
			if (this.#long) this.#goOn(this.#long);
			if (this.#isOver()) this.#simulation.end();
			else this.#watch();
		});
	}

	/** What a history of weeks has besides: it forgets what is over, is measured, and leaps over nights. */
	#goOn({ leaps, onSecond }: LongOptions) {
		const rules = this.#rules;
		const { now } = this.#simulation;
		if (Math.floor(now / minute) !== Math.floor((now - 1_000) / minute)) this.#forget(now - hour);
		onSecond({
			simulation: this.#simulation,
			rules,
			network: this.#network,
			opened: this.#ground.opened,
			leapt: this.#leapt,
		});
		const isBusy =
			rules.isUnsettled || [...rules.leases.values()].some(({ row }) => row.status !== 'ended');
		if (isBusy) this.#idleSince = now;
		if (leaps && !this.#isCalm && now > this.#idleSince + 2 * minute) this.#leap();
	}

	#forget(before: number) {
		this.#rules.forget(before);
		this.#troubles.forget(before);
		for (const [name, { alive }] of this.#processes) {
			if (alive || !name.includes('-visitor')) continue;
			this.#processes.delete(name);
			this.#starts.delete(name);
			this.#network.forget(name);
		}
	}

	/** Up to some minutes before something is due. */
	#leap() {
		const simulation = this.#simulation;
		const length = simulation.nextOfWorld() - simulation.now - 2 * minute;
		if (length < 5 * minute) return;
		for (const name of this.#processes.keys()) this.#troubles.add(name, length, { away: true });
		simulation.leap(length);
		this.#leapt += length;
		this.#idleSince = simulation.now;
	}

	#isOver() {
		const { now } = this.#simulation;
		if (!this.#isCalm || now < this.#plan.calmAt + 5_000) return false;
		if (now > this.#plan.calmAt + 2_400_000) return true;
		const isDone = this.#plan.users.every(
			({ name, jobs }) => (this.#nextJobs.get(name) ?? 0) >= jobs.length,
		);
		const areEnded = [...this.#rules.leases.values()].every(({ row }) => row.status === 'ended');
		return isDone && areEnded && !this.#rules.isUnsettled;
	}

	/** Nothing goes wrong from now on. */
	#becomeCalm() {
		this.#simulation.note('calm');
		this.#isCalm = true;
		this.#network.calm = true;
		this.#network.endCuts();
		this.#fullDisks.clear();
		this.#troubles.end();
		for (const process of this.#processes.values()) if (process.paused) process.resume();
		for (let replica = 1; replica <= this.#plan.replicas; replica++) {
			if (!this.#services.has(`service-${replica}`)) this.#startService(`service-${replica}`);
		}
		for (const agent of this.#ground.tokens.keys()) {
			if (!this.#processes.get(agent)?.alive) this.#startAgent(agent);
		}
		for (const { name } of this.#plan.users) {
			if (!this.#processes.get(name)?.alive) this.#startUser(name);
		}
	}

	/** What waited for this moment happens now. */
	#causeAwaited(moment: Moment) {
		if (this.#isCalm) return;
		for (const trouble of [...this.#awaited]) {
			if (trouble.moment !== moment) continue;
			this.#awaited.delete(trouble);
			this.#simulation.after(1, () => this.#cause(trouble));
		}
	}

	#cause(trouble: Trouble) {
		if (this.#isCalm) return;
		this.#simulation.note(`trouble ${JSON.stringify(trouble)}`);
		const { who } = trouble;
		switch (trouble.kind) {
			case 'kill':
				if (trouble.forgets) this.#fences.delete(who);
				return this.#killFor(who, trouble.milliseconds);
			case 'pause':
				return this.#pauseFor(who, trouble.milliseconds);
			case 'cut':
				this.#troubles.add(who, trouble.milliseconds, { away: true, isCut: true });
				return this.#network.cut(who, trouble.mode, trouble.milliseconds);
			case 'clock':
				return this.#setClock(who, trouble.by);
			case 'disk':
				this.#troubles.add(who, trouble.milliseconds);
				this.#fullDisks.add(who);
				this.#simulation.after(trouble.milliseconds, () => this.#fullDisks.delete(who));
				return;
			case 'twin':
				return this.#startTwin(who, trouble.milliseconds);
			case 'restore':
				return this.#restore(trouble);
			case 'stop':
				return void this.#stopAgent(trouble);
			case 'reload':
				return this.#reloadAgent(trouble);
		}
	}

	/** What nobody notices, because no service runs, counts as time that has passed. */
	#setClock(name: string, by: number) {
		const isOfServices = name === 'database' || name.startsWith('service');
		if (isOfServices && !this.#isSteady()) return;
		const process = name === 'database' ? this.#ground.clock : this.#processes.get(name);
		if (process) process.offset += by;
		this.#offsets.set(name, process?.offset ?? 0);
		if (isOfServices) this.#setAt = this.#simulation.now;
	}

	/** Whether services have run for some time. */
	#isSteady() {
		const { now } = this.#simulation;
		return [...this.#services.values()].some(
			({ process }) => !process.paused && now > process.startedAt + 3_000,
		);
	}

	/** By the clock of a service that runs, or ran last. */
	#serviceTime() {
		const [service] = this.#services.values();
		this.#clock = service?.clock ?? this.#clock;
		return this.#clock?.now() ?? this.#ground.clock.wallClock;
	}

	#killFor(name: string, milliseconds: number) {
		const process = this.#processes.get(name);
		if (!process?.alive) return;
		if (name.startsWith('service') && this.#isSetLately()) return;
		this.#kill(process);
		this.#troubles.add(name, milliseconds, { away: true });
		this.#simulation.after(milliseconds, () => this.#start(name));
	}

	#start(name: string) {
		if (this.#processes.get(name)?.alive) return;
		if (name.startsWith('service')) this.#startService(name);
		else if (name.startsWith('agent')) this.#startAgent(name);
		else this.#startUser(name);
	}

	#kill(process: Process) {
		this.#simulation.note(`kill ${process.name}`);
		process.kill();
		this.#troubles.killed(process.name);
		this.#services.delete(process.name);
		this.#wakes.delete(process.name);
		this.#network.killed(process);
		for (const board of this.#boards.values()) board.abandoned(process);
	}

	#pauseFor(name: string, milliseconds: number) {
		const process = this.#processes.get(name);
		if (!process?.alive || process.paused) return;
		this.#troubles.add(name, milliseconds, { away: true });
		process.pause();
		this.#simulation.after(milliseconds, () => {
			if (process.alive && process.paused) process.resume();
		});
	}

	/** A second agent with the same token, on a machine with boards of its own. */
	#startTwin(name: string, milliseconds: number) {
		if (!this.#ground.tokens.has(name)) return;
		const twin = this.#newProcess(`${name}-twin`);
		this.#troubles.hasTwin(name);
		// An agent that is away loses its place to it.
		if (!this.#processes.get(name)?.alive) this.#troubles.restarted(name);
		const boards = new Map(
			[...this.#boards].map(([id, board]) => [id, this.#board(id, board.actions, 1_000)]),
		);
		this.#runAgent(name, twin, boards, new Map());
		this.#simulation.after(milliseconds, () => this.#kill(twin));
	}

	/** Waits for the leases for a minute at most, stops the agent, and starts it again. */
	async #stopAgent({ who, milliseconds, drains }: Trouble & { kind: 'stop' }) {
		const operated = this.#agents.get(who);
		if (!operated?.process.alive || operated.isStopping) return;
		const { process, agent } = operated;
		operated.isStopping = true;
		const within = (limit: number, work: Promise<void>) =>
			Promise.race([work, new Promise<void>((resolve) => process.after(limit, resolve))]);
		if (drains) {
			this.#rules.operated.drains(process);
			await within(60_000, agent.drain());
		}
		// From now on, its leases end.
		this.#troubles.restarted(who);
		this.#troubles.add(who, 40_000, { away: true });
		this.#simulation.note(`stop ${who}`);
		await within(30_000, agent.stop());
		this.#simulation.after(0, () => this.#killFor(who, milliseconds));
	}

	/** The board changes or is removed, and is as before after some time. */
	#reloadAgent({ who, milliseconds, board, removes }: Trouble & { kind: 'reload' }) {
		const operated = this.#agents.get(who);
		if (!operated?.process.alive) return;
		const { process, agent, config } = operated;
		const changed = config.boards.flatMap((each, index) => {
			if (index !== board % config.boards.length) return each;
			return removes && config.boards.length > 1 ? [] : { ...each, cpu_share: 0.25 };
		});
		void agent.reload({ ...config, boards: changed });
		process.after(milliseconds, () => void agent.reload(config));
	}

	/** Each backup is made when it has to be, to have its age when it is restored. */
	#keepBackups() {
		for (const trouble of this.#plan.troubles) {
			if (trouble.kind !== 'restore') continue;
			this.#simulation.at(trouble.at - trouble.age, () => {
				const restore = this.#ground.opened.watched.backup();
				const tally = this.#rules.tally;
				this.#backups.set(trouble, () => {
					restore();
					this.#rules.tally = tally;
				});
			});
		}
	}

	/** The services stop, the backup is restored, and they start again. */
	#restore(trouble: Trouble) {
		const restore = this.#backups.get(trouble);
		if (!restore) return;
		for (const service of [...this.#services.values()]) this.#kill(service.process);
		restore();
		this.#load();
		this.#troubles.add('database', 30_000, { away: true });
		for (let replica = 1; replica <= this.#plan.replicas; replica++)
			this.#startService(`service-${replica}`);
	}

	#load() {
		const { watched } = this.#ground.opened;
		this.#rules.load({
			leases: watched.all('select * from leases'),
			boards: watched.all('select * from boards'),
			entries: watched.all('select account_id, amount, reference from credit_entries'),
		});
	}

	#newProcess(name: string) {
		const start = this.#starts.get(name) ?? 0;
		this.#starts.set(name, start + 1);
		const process = new Process(this.#simulation, {
			name,
			random: this.#simulation.random('process', name, start),
			offset: this.#offsets.get(name) ?? this.#plan.offsets[name] ?? 0,
		});
		this.#processes.set(name, process);
		return process;
	}

	/** No service may have noticed yet that a clock was set. */
	#isSetLately() {
		return this.#simulation.now < this.#setAt + 3_000;
	}

	#startService(name: string) {
		if (this.#isSetLately()) {
			this.#simulation.after(3_000, () => this.#start(name));
			return;
		}
		const process = this.#newProcess(name);
		const exported = evaluate(this.#scripts, 'service', {
			process,
			modelLog: logOf(this.#simulation, name),
			...(this.#hasShortcuts && { modelIdle: this.#idleness() }),
		});
		// The script exports these functions of the service.
		const { assemble, createWake, createClock } = exported as unknown as ServiceExports;
		const { opened, clock } = this.#ground;
		// As on PostgreSQL, the wall clock is that of the database; as on SQLite, that of the process.
		const readWall = async () => clock.wallClock;
		const own = createClock({
			db: opened.database.query,
			...(!this.#plan.ownClock && { readWall }),
		});
		const given = {
			database: { ...opened.database, clock: own },
			createWake: () => this.#wakeOf(name, createWake({})),
		};
		const start = async () => {
			await own.synchronize();
			const { app, close } = await assemble({ baseUrl: address, ...this.#long?.settings }, given);
			this.#services.set(name, {
				process,
				clock: own,
				handle: async (request) => await app.fetch(request, { incoming }),
				close: () => void close,
			});
		};
		void start();
	}

	/** A round finds nothing if it follows two others, nothing has changed since, and nothing is due. */
	#idleness() {
		const { watched } = this.#ground.opened;
		const { versions } = watched;
		const before = new Map<string, string[]>();
		return (what: string, time: number) => {
			watched.flush();
			const now = `${versions.leases} ${versions.boards} ${versions.lease_actions} ${watched.changes}`;
			const rounds = before.get(what) ?? [];
			const isSame = rounds.length === 2 && rounds.every((round) => round === now);
			before.set(what, [now, ...rounds].slice(0, 2));
			return isSame && (what !== 'leases' || !this.#rules.isDue(time));
		};
	}

	/** Hints reach the other replicas late, or never. */
	#wakeOf(name: string, inner: Wake): Wake {
		const { announce } = inner;
		this.#wakes.set(name, (names) => announce(...names));
		const random = this.#simulation.random('hints', name);
		return Object.assign(inner, {
			announce: (...names: string[]) => {
				announce(...names);
				for (const [other, receive] of this.#wakes) {
					if (other === name || random() * 100 < this.#plan.lostHints) continue;
					const process = this.#processes.get(other);
					this.#simulation.after(1 + random() * 60, () => receive(names), process);
				}
			},
		});
	}

	#startAgent(name: string) {
		this.#troubles.restarted(name);
		const process = this.#newProcess(name);
		const fences = this.#fences.get(name) ?? new Map<string, number>();
		this.#fences.set(name, fences);
		this.#runAgent(name, process, this.#boards, fences);
	}

	#runAgent(
		name: string,
		process: Process,
		boards: ReadonlyMap<string, SimulatedBoard>,
		stored: Map<string, number>,
	) {
		const own = this.#ground.site.boards.filter(({ agent }) => agent === name);
		// What the agent has in memory may be ahead of its disk.
		const fences = new Map(stored);
		// The script exports this function of the agent.
		const { startAgentWith } = evaluate(this.#scripts, 'agent', {
			process,
			// Each agent and its twin is on a machine of its own.
			modules: { 'node:os': { ...os, hostname: () => process.name } },
		}) as unknown as AgentExports;
		const parts = {
			hardwareOf: ({ id }: { id: string }) =>
				boards.get(id)?.drivenBy(process, () => fences.get(id) ?? -1),
			openFences: async () => ({
				of: (id: string) => fences.get(id) ?? -1,
				raise: async (id: string, fence: number) => {
					if (fence > (fences.get(id) ?? -1)) fences.set(id, fence);
					const highest = fences.get(id) ?? fence;
					if (stored.get(id) === highest) return;
					if (this.#fullDisks.has(name)) throw noSpace();
					stored.set(id, highest);
				},
			}),
		};
		const config = {
			service: address,
			token: this.#ground.tokens.get(name),
			boards: own.map(({ id, type }) => ({
				id,
				type,
				driver: 'emulated',
				emulator: 'arduino-uno',
			})),
		};
		const options = {
			config,
			fetch: this.#network.fetchOf(process),
			log: logOf(this.#simulation, process.name),
		};
		startAgentWith(parts, options).then((agent) => {
			if (boards !== this.#boards) return;
			this.#agents.set(name, { process, agent, config, isStopping: false });
		});
	}

	#startUser(name: string) {
		const user = this.#plan.users.find((each) => each.name === name);
		if (!user) return;
		const firstJob = this.#nextJobs.get(name) ?? 0;
		if (firstJob >= user.jobs.length) return;
		// Its next start continues after the job that it is at.
		const process = this.#newProcess(name);
		let visits = 0;
		if (user.watches && !this.#processes.has(`${name}-watcher`)) this.#startWatcher(user);
		void runUser({
			user,
			process,
			...this.#clientOf(process, user.account),
			rules: this.#rules,
			troubles: this.#troubles,
			firstJob,
			start: (this.#starts.get(name) ?? 1) - 1,
			visitor: (account = user.account) => {
				const visitor = this.#newProcess(`${name}-visitor-${visits++}`);
				return { process: visitor, client: this.#clientOf(visitor, account).client };
			},
			crash: () => {
				this.#nextJobs.set(name, (this.#nextJobs.get(name) ?? 0) + 1);
				this.#simulation.after(0, () => {
					this.#kill(process);
					this.#simulation.after(100, () => this.#start(name));
				});
			},
			sawFailure: (own) => this.#failures.delete(own),
			isCalm: () => this.#isCalm,
			onJobDone: (job) => this.#nextJobs.set(name, job + 1),
		});
	}

	#startWatcher({ name, account, watches }: Plan['users'][number]) {
		const process = this.#newProcess(`${name}-watcher`);
		const { watching } = this.#rules;
		const isShared = watches === 'shared';
		const watcher = watching.begin({
			process,
			account: this.#ground.accountIds[account] ?? '',
			sharedWith: isShared ? emailOf(account) : undefined,
		});
		const follow = async () => {
			const { client } = this.#clientOf(process, account);
			const changes = client.leases.watch({ shared: isShared });
			for await (const change of changes) watching.changed(watcher, change);
		};
		follow().catch(() => {
			watcher.over = true;
		});
	}

	#clientOf(process: Process, account: number) {
		// The script exports the client.
		const exported = evaluate(this.#scripts, 'client', { process }) as unknown as {
			BoardAccess: typeof BoardAccess;
			runFirmwareTest: typeof runFirmwareTest;
		};
		const client = new exported.BoardAccess({
			apiKey: this.#ground.keys[account] ?? '',
			baseUrl: address,
			// It takes and returns what the client's own type says, and more.
			fetch: this.#network.fetchOf(process) as never,
		});
		return { client, runTest: exported.runFirmwareTest };
	}

	#board(id: string, actions: readonly string[], firstSession: number) {
		return new SimulatedBoard({
			id,
			actions,
			firstSession,
			random: this.#simulation.random('board', id),
			witness: this.#rules,
			faultOf: (use) => (this.#isCalm ? undefined : this.#faultOf(id, use)),
		});
	}

	#faultOf(id: string, use: number) {
		const { boardRates, boardFaults } = this.#plan;
		if (boardRates)
			return faultByChance(boardRates, this.#simulation.random('fault of board', id, use));
		return boardFaults.find((fault) => fault.board === id && fault.use === use)?.kind;
	}

	/** Any service that listens; one that stands still is not noticed. */
	#serverFor(id: string) {
		const services = [...this.#services.values()];
		return services[Math.floor(this.#simulation.random('server', id)() * services.length)];
	}

	#noteFault(fault: RequestFault) {
		this.#faults.push(fault);
		const isSilent = fault.kind.startsWith('stalled') || fault.kind === 'unknown-status';
		const away = fault.who.startsWith('agent');
		this.#troubles.add(fault.who, isSilent ? 20_000 : fault.milliseconds + 2_000, {
			away: away && isSilent,
		});
	}
}

function faultByChance(rates: Readonly<Partial<Record<HardwareFault, number>>>, random: Random) {
	let left = random() * 1_000;
	// The keys are those of the rates.
	for (const [kind, rate] of Object.entries(rates) as [HardwareFault, number][]) {
		left -= rate;
		if (left < 0) return kind;
	}
	return undefined;
}

const address = 'https://boards.example';

/** All that the service knows of a connection: who is at its other end. */
const incoming = { socket: { remoteAddress: '192.0.2.1' } };

interface Wake {
	announce(...names: string[]): void;
}

interface ServiceClock {
	now(): number;
	synchronize(): Promise<number>;
}

interface ServiceExports {
	assemble(
		options: object,
		given: object,
	): Promise<{
		app: { fetch(request: Request, env: object): Response | Promise<Response> };
		close(): Promise<void>;
	}>;
	createWake(database: object): Wake;
	createClock(source: object): ServiceClock;
}

/** An agent, and what its operator can do with it. */
interface OperatedAgent {
	process: Process;
	agent: {
		drain(): Promise<void>;
		stop(): Promise<void>;
		reload(config: object): Promise<void>;
	};
	config: { boards: object[] };
	isStopping: boolean;
}

interface AgentExports {
	startAgentWith(parts: object, options: object): Promise<OperatedAgent['agent']>;
}

function logOf(simulation: Simulation, name: string) {
	const write = (level: string) => (details: unknown, text?: string) => {
		if (level === 'info' || !simulation.lines) return;
		simulation.note(`${name} ${level}: ${text ?? ''} ${describe(details)}`);
	};
	return {
		info: write('info'),
		debug: write('info'),
		warn: write('warn'),
		error: write('error'),
		flush() {},
	};
}

function describe(details: unknown) {
	return JSON.stringify(details, (_, value) =>
		value instanceof Error ? value.stack : value,
	)?.slice(0, 600);
}

function noSpace() {
	return Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
}
