// Known bugs, put back one at a time: each must break a rule. This is the test of the model.
import type { Change } from './bundle.ts';
import type { Leaning } from './leaning.ts';

export interface Mutant {
	/** The row of the tables of bugs, or what the model itself has brought to light. */
	row: string;
	bug: string;
	changes: readonly Change[];
	/** The rules that find it. */
	rules: readonly string[];
	/** The histories that it is looked for in. */
	leaning?: Leaning;
}

const create = 'src/leases/create.ts';
const trackedLease = 'src/leases/tracked-lease.ts';
const renewal = 'src/leases/renewal.ts';
const servedLease = 'agent/src/boards/served-lease.ts';
const clock = 'core/src/database/clock/following-clock.ts';
const rules = 'core/src/leases/rules';
const stream = 'src/leases/console/stream.ts';

const everyByte = 'every byte is read, or marked';
const onlyShared = 'only what is shared is seen';
const watched = 'who watches knows what is so';

/** A failed renewal ends the lease for the client once this time has passed. */
function declaresEnd(since: string): readonly Change[] {
	return [
		{
			file: renewal,
			from: '	#repeats = false;\n\n	constructor',
			to: '	#repeats = false;\n	#since = performance.now();\n\n	constructor',
		},
		{
			file: renewal,
			from: '		const renewed = await this.lease.see(',
			to: '		const sentAt = performance.now();\n		const renewed = await this.lease.see(',
		},
		{
			file: renewal,
			from: '		this.#minutes = minutes ?? this.#minutes;\n',
			to: `		this.#minutes = minutes ?? this.#minutes;\n		${since}\n`,
		},
		{
			file: renewal,
			from: '		await this.lease.explain(error);\n		if (!this.#repeats) return;',
			to: `		await this.lease.explain(error);
		if (performance.now() > this.#since + this.#minutes * 60_000) {
			this.lease.update({ record: { ...this.lease.record, status: 'ended' }, endsAt: 0 });
		}
		if (!this.#repeats) return;`,
		},
	];
}

export const mutants: readonly Mutant[] = [
	{
		row: '1',
		leaning: 'renewals without a connection',
		bug: 'the end is computed when the lease is requested, and one failed renewal declares it',
		changes: declaresEnd(''),
		rules: ['never "ended" while it is charged'],
	},
	{
		row: '2',
		leaning: 'slow preparations',
		bug: 'the time of a lease runs from the grant',
		changes: [
			{
				file: `${rules}/minutes.ts`,
				from: 'expires_at: timestamp(begins + lease.minutes * minute),',
				to: "expires_at: timestamp(Date.parse(lease.granted_at ?? '') + lease.minutes * minute),",
			},
		],
		rules: ['turns are kept'],
	},
	{
		row: '3, V11',
		bug: 'the service ignores the idempotency key of an action',
		changes: [
			{
				file: 'core/src/leases/actions/commands.ts',
				from: 'const outcome = await once(core, claim, {',
				to: 'const outcome = await once(core, undefined, {',
			},
		],
		rules: ['every change once'],
	},
	{
		row: '4',
		leaning: 'unknown statuses',
		bug: 'an unknown status spins',
		changes: [
			{
				file: create,
				from: "if (status !== 'active') await",
				to: "if (status === 'queued' || status === 'preparing') await",
			},
		],
		rules: ['nothing spins'],
	},
	{
		row: '5',
		leaning: 'failing boards',
		bug: 'the grant overwrites the price that was accepted',
		changes: [
			{
				file: `${rules}/grant.ts`,
				from: '		credits_per_minute: board.credits_per_minute,\n',
				to: '		credits_per_minute: board.credits_per_minute,\n		most_credits_per_minute: board.credits_per_minute,\n',
			},
		],
		rules: ['available boards are granted', 'the queue is strict'],
	},
	{
		row: '6',
		bug: 'positions are counted in decoded text',
		changes: [
			{
				file: 'src/leases/console/decoded-console.ts',
				from: '		if (this.start >= offset) return;\n',
				to: `		if (this.next - new TextEncoder().encode(this.text).length >= offset) return;
		[this.text, this.next, this.#pieces, this.#decoder] = ['', offset, [], streamDecoder()];
		if (offset >= 0) return;
`,
			},
		],
		rules: ['nothing matches twice'],
	},
	{
		row: '7',
		leaning: 'handovers',
		bug: 'the reader of a lease that was renewed elsewhere ends with the first disconnect',
		changes: [
			{ file: trackedLease, from: '		else this.#expectEnd();\n', to: '' },
			{
				file: 'src/leases/console/stream.ts',
				from: 'health.lostForMs > patience;',
				to: 'performance.now() > lease.endsAt;',
			},
		],
		rules: ['a reader lasts as long as the lease'],
	},
	{
		row: '11',
		leaning: 'renewals without a connection',
		bug: 'a renewal with fewer minutes shortens the end that the client knows',
		changes: declaresEnd('this.#since = sentAt;'),
		rules: ['never "ended" while it is charged'],
	},
	{
		row: '12',
		leaning: 'failures without a connection',
		bug: 'a failing refresh replaces the error that matters',
		changes: [
			{
				file: 'src/leases/actions.ts',
				from: 'await lease.refresh(shared).catch(() => {}); //',
				to: 'await lease.refresh(shared); //',
			},
		],
		rules: ['the error that matters'],
	},
	{
		row: '16',
		leaning: 'late renewals',
		bug: 'the agent gives a lease up by its own clock, and tells nobody',
		changes: [
			{ file: servedLease, from: 'const maxHold = 60_000;', to: 'const maxHold = 0;' },
			{
				file: 'agent/src/boards/board.ts',
				from: '		if (released) this.#options.onReleased();\n',
				to: '',
			},
			{
				file: 'agent/src/boards/board.ts',
				from: '			...(fence <= this.#overFence && { released: true }),\n',
				to: '',
			},
		],
		rules: ['a charged lease is served'],
	},
	{
		row: '17',
		leaning: 'releases without a connection',
		bug: 'after a release that failed, the lease stays active for good',
		changes: [{ file: trackedLease, from: '		else this.#expectEnd();\n', to: '' }],
		rules: ['never "active" when it has ended'],
	},
	{
		row: '18',
		bug: 'hardware is closed that was never opened',
		changes: [
			{
				file: servedLease,
				from: '		if (this.#isTouched) await this.#options.hardware.close();',
				to: '		await this.#options.hardware.close();',
			},
		],
		rules: ['opened before closed'],
	},
	{
		row: 'firmware of a lease in the next one',
		bug: 'an agent takes a board for clear that another process has used, or itself before a restart',
		changes: [
			{
				file: 'agent/src/boards/board.ts',
				from: '				await this.#clear(fence - 1, hardware);\n',
				to: '',
			},
		],
		rules: ['cleared before used'],
	},
	{
		row: '19',
		leaning: 'lost creations',
		bug: 'a creation whose responses are all lost leaves its lease behind',
		changes: [{ file: create, from: 'if (mayBeDone(error)) {', to: 'if (!error) {' }],
		rules: ['a failed creation leaves nothing'],
	},
	{
		row: 'V4',
		leaning: 'paused services',
		bug: 'after a pause, a service judges by the time that it has slept',
		changes: [
			{ file: clock, from: 'if (this.#isLate()) this.restart();', to: '' },
			{ file: clock, from: 'this.#isLate() ? 0 : ', to: '' },
		],
		rules: ['nobody is lost early', 'turns are kept'],
	},
	{
		row: 'V5',
		leaning: 'wrong clocks',
		bug: 'each replica decides by its own clock',
		changes: [
			{
				file: clock,
				from: 'return Math.floor(performance.now() + this.#ahead);',
				to: 'return Date.now();',
			},
		],
		rules: ['nobody is lost early', 'turns are kept', 'credits add up'],
	},
	{
		row: 'clocks that are set',
		leaning: 'clocks that are set',
		bug: 'the time of leases is what the wall clock shows',
		changes: [
			{
				file: clock,
				from: 'return Math.floor(performance.now() + this.#ahead);',
				to: 'return Math.floor(performance.now() + this.#wallAhead);',
			},
		],
		rules: ['minutes are real', 'credits add up', 'turns are kept'],
	},
	{
		row: 'V6',
		leaning: 'restarted agents',
		bug: 'the restart of an agent ends leases that are being prepared',
		changes: [
			{
				file: `${rules}/ending.ts`,
				from: "	if (lease.status === 'preparing') return requeue(failed, lease, patienceAfterLoss);\n",
				to: '',
			},
		],
		rules: ['turns are kept'],
	},
	{
		row: 'V6',
		leaning: 'twins',
		bug: 'a second agent with the same token takes the boards of the first',
		changes: [
			{
				file: 'core/src/link/connection.ts',
				from: '	if (hasRestarted) requireAway(',
				to: '	if (false) requireAway(',
			},
		],
		rules: ['the first agent keeps the boards'],
	},
	{
		row: 'V7',
		leaning: 'backups',
		bug: 'after a restored backup, the fences of the service lie behind those of the agent',
		changes: [
			{
				file: 'core/src/link/connection.ts',
				from: '		if (fence <= board.fence) return ',
				to: '		if (fence >= 0) return ',
			},
			{
				file: 'core/src/link/connection.ts',
				from: '	if (known.fence === undefined || known.fence < fence) return undefined;',
				to: '	if (known.fence !== fence) return undefined;',
			},
		],
		rules: ['a charged lease is served'],
	},
	{
		row: 'V7',
		leaning: 'backups',
		bug: 'after a restored backup, a lease continues although the service knows less of it than its board',
		changes: [
			{
				file: 'core/src/link/connection.ts',
				from: '	if (!known) return false;\n',
				to: '	if (known) return false;\n',
			},
			{
				file: 'agent/src/boards/console-upload.ts',
				from: 'await repeat(() => append(chunk), signal);',
				to: `await repeat(() => append(chunk), signal).catch((error: Error) => {
				const [, offset] = /next offset is (\\d+)/.exec(error.message) ?? [];
				if (offset === undefined) throw error;
				return append({ ...chunk, offset: Number(offset) });
			});`,
			},
		],
		rules: ['nothing is lost', 'nothing matches twice'],
	},
	{
		row: 'V9',
		leaning: 'full disks',
		bug: 'a full disk of the agent counts as a failure of the board',
		changes: [
			{
				file: 'agent/src/errors.ts',
				from: "if (error instanceof AgentError) return 'agent';",
				to: '',
			},
		],
		rules: ['an agent that fails does not blame the board'],
	},
	{
		row: 'V10',
		leaning: 'much input',
		bug: 'input beyond what is kept is accepted, and the oldest is dropped',
		changes: [
			{
				file: 'core/src/leases/console/store.ts',
				from: 'if (next - taken > maxWaiting[by])',
				to: 'if (data.length > maxWaiting[by])',
			},
		],
		rules: ['nothing is lost'],
	},
	{
		row: 'V12',
		leaning: 'cut agents',
		bug: 'an agent that cannot connect for less than the limit loses its leases',
		changes: [
			{
				file: 'core/src/agents/times.ts',
				from: 'lost: timeout * 1.5,',
				to: 'lost: timeout,',
			},
			{
				file: 'agent/src/link/contact.ts',
				from: 'const maxSilence = 9_000;',
				to: 'const maxSilence = 15_000;',
			},
			{
				file: 'agent/src/link/work.ts',
				from: 'const urgent = { time: 30_000, attempt: 4_000, max: 2_000 };',
				to: 'const urgent = { time: 0, attempt: 15_000, max: 5_000 };',
			},
		],
		rules: ['nobody is lost early'],
	},
	{
		row: 'output',
		bug: 'the client skips 20 bytes at each reconnect',
		changes: [
			{
				file: stream,
				from: 'await openConsole(lease, from, {',
				to: 'await openConsole(lease, from > 0 ? from + 20 : from, {',
			},
		],
		rules: [everyByte],
	},
	{
		row: 'output',
		bug: 'the client skips 20 bytes at each reconnect, and counts on as if it had not',
		changes: [
			{
				file: stream,
				from: 'await openConsole(lease, from, {',
				to: 'await openConsole(lease, from > 0 ? from + 20 : from, {',
			},
			{ file: stream, from: 'const start = offsetIn(headers);', to: 'const start = from;' },
			{
				file: stream,
				from: 'read: (_body, _where, { headers, body }) => {',
				to: 'read: (_body, _where, { headers, body }) => {\n			offsetIn(headers);',
			},
		],
		rules: [everyByte],
	},
	{
		row: 'output',
		leaning: 'handovers',
		bug: 'a reader waits without a limit for a connection that gets no response',
		changes: [{ file: stream, from: 'timeout: openingMs,', to: 'timeout: 3_600_000,' }],
		rules: [everyByte],
	},
	{
		row: 'output',
		leaning: 'floods',
		bug: 'the mark of the agent counts only what was dropped last',
		changes: [
			{
				file: 'agent/src/boards/output-limit.ts',
				from: 'dropped += bytes.length - length;',
				to: 'dropped = bytes.length - length || dropped;',
			},
		],
		rules: [everyByte],
	},
	{
		row: 'output',
		leaning: 'floods without a connection',
		bug: 'what the agent keeps beyond its limit is dropped without a mark',
		changes: [
			{
				file: 'agent/src/boards/output-limit.ts',
				from: 'dropped += bytes.length - length;',
				to: 'if (hasRoom) dropped += bytes.length - length;',
			},
		],
		rules: [everyByte],
	},
	{
		row: 'output',
		leaning: 'floods',
		bug: 'the mark of the service counts what it has instead of what is missing',
		changes: [
			{
				file: 'service/src/routes/leases/console.ts',
				from: 'const mark = dropMark(first.offset - from);',
				to: 'const mark = dropMark(first.offset > from ? end - first.offset : 0);',
			},
		],
		rules: [everyByte],
	},
	{
		row: 'costs',
		leaning: 'lost agents',
		bug: 'a lease whose agent was lost is charged until its end, and not until the last contact',
		changes: [
			{
				file: `${rules}/ending.ts`,
				from: 'const usedUntil = loss.lastContact ?? lease.created_at;',
				to: 'const usedUntil = loss.lastContact ? undefined : lease.created_at;',
			},
		],
		rules: ['credits add up'],
	},
	{
		row: 'fence',
		bug: 'the agent begins a lease again that has ended for it, because its fence is not below',
		changes: [
			{
				file: 'agent/src/boards/board.ts',
				from: '} else if (fence > this.#overFence) {',
				to: '} else if (fence >= this.#overFence) {',
			},
		],
		leaning: 'failing boards',
		rules: [
			'nothing of an old lease',
			'one holder',
			everyByte,
			'every change once',
			'nothing is lost',
		],
	},
	{
		row: 'fence',
		leaning: 'cut agents',
		bug: 'the service takes an agent that knows the fence of its lease for one that knows a newer lease',
		changes: [
			{
				file: 'core/src/link/connection.ts',
				from: '	if (known.fence > fence) {',
				to: '	if (known.fence >= fence) {',
			},
		],
		rules: ['nobody is lost early', 'turns are kept'],
	},
	{
		row: 'once',
		bug: 'the record of an idempotency key is lost',
		changes: [
			{
				file: 'core/src/leases/change.ts',
				from: 'if (claim) await writeClaim(',
				to: 'if (claim && !claim) await writeClaim(',
			},
		],
		rules: ['every change once'],
	},
	{
		row: 'sharing',
		leaning: 'sharing',
		bug: 'a second end of a share is ignored',
		changes: [
			{
				file: 'core/src/leases/sharing/store.ts',
				from: '	const email = addressOf(given);\n	await lockLease(db, id);\n',
				to: `	const email = addressOf(given);
	const ended: Set<string> = (globalThis.endedShares ??= new Set());
	if (ended.has(id + email)) return;
	ended.add(id + email);
	await lockLease(db, id);
`,
			},
		],
		rules: [onlyShared],
	},
	{
		row: 'sharing',
		leaning: 'sharing',
		bug: 'a console that a colleague has open goes on after the end of the share',
		changes: [
			{
				file: 'service/src/http/authorize-lease.ts',
				from: '			await confirmCaller?.();\n			await accessTo(db, asking, needed);',
				to: '			await confirmCaller?.();',
			},
		],
		rules: [everyByte],
	},
	{
		row: 'sharing',
		leaning: 'sharing',
		bug: 'a colleague who may only look types',
		changes: [
			{
				file: 'core/src/leases/console/commands.ts',
				from: "accessTo(core.database.query, asking, 'type')",
				to: "accessTo(core.database.query, asking, 'look')",
			},
		],
		rules: [onlyShared],
	},
	{
		row: 'sharing',
		leaning: 'sharing',
		bug: 'an attempt to share that arrives late shares the lease again',
		changes: [
			{
				file: 'core/src/leases/sharing/store.ts',
				from: 'once(core, claim, {\n\t\tcreate: async (db) => ({ ...ids, share: await storeShare',
				to: 'once(core, undefined, {\n\t\tcreate: async (db) => ({ ...ids, share: await storeShare',
			},
		],
		rules: [onlyShared],
	},
	{
		row: 'sharing',
		leaning: 'sharing',
		bug: 'for a colleague, the end of the share is the end of the lease',
		changes: [
			{
				file: trackedLease,
				from: '			throw new LeaseNotSharedError(',
				to: `			this.update({ record: { ...this.record, status: 'ended' }, sentAt: 0, endsAt: 0 });
			throw new LeaseNotSharedError(`,
			},
		],
		rules: ['never "ended" while it is charged'],
	},
	{
		row: 'sharing',
		leaning: 'sharing',
		bug: 'a lease that is shared again stays lost to the colleague',
		changes: [
			{
				file: trackedLease,
				from: 'const statusOrder: readonly unknown[] = leaseStatuses;',
				to: 'const statusOrder: readonly unknown[] = leaseStatuses;\nconst lost = new Map();',
			},
			{
				file: trackedLease,
				from: '			return await this.#transport.request({',
				to: `			if (lost.has(this)) throw lost.get(this);
			return await this.#transport.request({`,
			},
			{
				file: trackedLease,
				from: '			throw new LeaseNotSharedError(',
				to: '			lost.set(this, error);\n			throw new LeaseNotSharedError(',
			},
		],
		rules: ['a reader lasts as long as the lease'],
	},
	{
		row: 'watch',
		leaning: 'sharing',
		bug: 'a watched list forgets nothing',
		changes: [
			{
				file: 'src/http/watch.ts',
				from: '		known = now;',
				to: '		known = new Map([...known, ...now]);',
			},
		],
		rules: [watched],
	},
	{
		row: 'attach',
		leaning: 'attached',
		bug: 'a lease that is attached is not renewed',
		changes: [
			{ file: 'src/leases/leases.ts', from: 'options, { renew: true }),', to: 'options),' },
		],
		rules: ['turns are kept'],
	},
	{
		row: 'pins',
		leaning: 'pins',
		bug: 'the agent does not learn of another voltage until something else changes',
		changes: [
			{
				file: 'core/src/link/board-states.ts',
				from: 'own, watched_until, driven, channels]',
				to: 'own, watched_until, channels]',
			},
		],
		rules: ['nothing is lost'],
	},
	{
		row: 'operator',
		leaning: 'operators',
		bug: 'the boards of an agent that is drained are leased',
		changes: [
			{
				file: 'core/src/boards/status.ts',
				from: 'if (capabilitiesOf(board)?.draining) return',
				to: 'if (board.fence < 0) return',
			},
		],
		rules: ['a drained agent gets no lease'],
	},
	{
		row: 'operator',
		leaning: 'operators',
		bug: 'a stop that is announced leaves the boards as they are',
		changes: [
			{
				file: 'core/src/link/revoke.ts',
				from: 'return agent ? shutBoards(db, id, now) : [];',
				to: 'return agent ? [] : shutBoards(db, id, now);',
			},
		],
		rules: ['an announced stop is the end'],
	},
	{
		row: 'operator',
		leaning: 'operators',
		bug: 'another configuration replaces a board during its lease',
		changes: [
			{
				file: 'agent/src/agent.ts',
				from: 'if (known) known.hardware = hardware;',
				to: 'if (known && !known.isLeased) known.hardware = hardware;',
			},
		],
		rules: [
			'one holder',
			'nobody is lost early',
			'opened before used',
			'a charged lease is served',
		],
	},
];
