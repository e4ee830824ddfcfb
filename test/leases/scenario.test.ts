import {
	type AnyLease,
	isBoardAccessError,
	type ScenarioStep,
	type StepOutcome,
} from 'board-access';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { createLeaseService, type LeaseService } from '../support/lease-service.ts';
import { runs } from '../support/runs.ts';

let service: LeaseService;
let lease: AnyLease;

const begin = async () => {
	service = createLeaseService();
	lease = await service.createClient().leases.create({ boardType: 'arduino-uno' });
};

/** Prints the text when the step with this index has ended. */
const afterStep = (wanted: number, text: string) => ({
	onStep: ({ index }: StepOutcome) => {
		if (index === wanted) service.print(text);
	},
});

describe('a scenario', () => {
	beforeEach(begin);

	it('carries out its steps in order, and returns what each found', async () => {
		service.faults.push(({ method, path, body }) => {
			if (method === 'POST' && path.endsWith('/console') && body.length > 0) {
				service.print('# ');
			}
			return undefined;
		});
		service.setOnAction((action) => {
			service.finish(action, 'done');
			service.print('login: ');
		});
		const steps: ScenarioStep[] = [
			{ fail: ['PANIC', /assert/] },
			{ reset: true },
			{ expect: 'login: ', timeout: 5_000 },
			{ send: 'root\r' },
			{ waitMs: 5 },
			{ expect: /(#) / },
		];
		const told: number[] = [];
		const outcomes = await lease.run(steps, { onStep: ({ index }) => told.push(index) });
		expect(outcomes.map(({ step }) => step)).toEqual(steps);
		expect(told).toEqual([0, 1, 2, 3, 4, 5]);
		expect(outcomes.at(-1)?.match?.groups).toEqual({ 1: '#' });
		expect(Buffer.concat(service.typed).toString()).toBe('root\r');
		expect(service.actions.map(({ action }) => action)).toEqual(['reset']);
	});

	it('does not match what was shown before a reset', async () => {
		service.print('ready');
		const steps: ScenarioStep[] = [{ reset: true }, { expect: 'ready' }];
		await expect(lease.run(steps, { timeout: 200 })).rejects.toMatchObject({ code: 'not_seen' });
	});

	it.each<[string, ScenarioStep[]]>([
		['while it waits', [{ fail: 'PANIC' }, { waitMs: 60_000 }]],
		['between two steps', [{ fail: 'PANIC' }, { waitMs: 1 }, { expect: 'ready' }]],
		['before a reset', [{ fail: 'PANIC' }, { reset: true }, { expect: 'ready' }]],
		['during the last step', [{ fail: 'PANIC' }, { send: 'x' }]],
	])('fails if the fail text appears %s', async (_, steps) => {
		service.setOnAction((action) => {
			service.finish(action, 'done');
			service.print('ready');
		});
		const failed = lease.run(steps, afterStep(0, 'PANIC ready'));
		await expect(failed).rejects.toMatchObject({ code: 'fail_seen', matched: 'PANIC' });
	});

	it('fails if the fail text appears while the reset is requested', async () => {
		service.setOnAction((action) => {
			service.print('PANIC');
			service.finish(action, 'done');
			service.print('ready');
		});
		const steps: ScenarioStep[] = [{ fail: 'PANIC' }, { reset: true }, { expect: 'ready' }];
		await expect(lease.run(steps)).rejects.toMatchObject({ code: 'fail_seen' });
	});

	it('passes over what was shown before the last action', async () => {
		service.setOnAction((action) => {
			if (action === service.actions[0]) service.print('PANIC in the old firmware\n');
			service.finish(action, 'done');
			service.print('ready');
		});
		await lease.erase();
		await lease.run([{ fail: 'PANIC' }, { reset: true }, { expect: 'ready' }]);
	});

	it.each([
		['nothing else is missing', 'at work', undefined],
		['output was dropped, too', 'at work\r\n[… 12 bytes dropped …]\r\n', 'console_interrupted'],
		['the search takes too long', `${'a'.repeat(50)}!`, 'not_seen'],
	])('knows what to make of a restart of the board when %s', async (_, text, code) => {
		service.print(text);
		service.change({
			console_status: 'connected',
			console_gap_offset: 2,
			console_gap_ms: 70,
		});
		const steps: ScenarioStep[] = [{ fail: /(a+)+$/ }, { waitMs: 50 }];
		const failure = await lease.run(steps).catch((error: unknown) => error);
		if (code === undefined) expect(failure).toHaveLength(2);
		else expect(failure).toMatchObject({ code });
	});

	it('takes turns with expectations, in the order of the calls', async () => {
		const before = lease.console.expect('one');
		const running = lease.run([{ expect: 'one' }, { waitMs: 20 }, { expect: 'one' }]);
		const after = lease.console.expect('one');
		service.print('one 1 one 2 one 3 one');
		const [first, outcomes, last] = await Promise.all([before, running, after]);
		const offsets = outcomes.flatMap(({ match }) => match?.offset ?? []);
		expect([first.offset, ...offsets, last.offset]).toEqual([0, 6, 12, 18]);
	});

	it('fails if the lease ends while it waits', async () => {
		const onStep = () => service.end('agent_lost', 'The agent has gone.');
		const steps: ScenarioStep[] = [{ send: 'x' }, { waitMs: 20 }];
		await expect(lease.run(steps, { onStep })).rejects.toMatchObject({ reason: 'agent_lost' });
	});

	it('fails if somebody else resets the board meanwhile', async () => {
		service.print('one two');
		const onStep = () => void service.addAction('reset', { status: 'done', console_offset: 4 });
		const failed = lease.run([{ expect: 'one' }, { expect: 'two' }], { onStep });
		await expect(failed).rejects.toMatchObject({
			name: 'ScenarioError',
			code: 'scenario_disturbed',
			action: { action: 'reset' },
		});
	});

	it.each<[string, ScenarioStep]>([
		['fail_seen', { fail: 'two' }],
		['not_seen', { expect: 'three', timeout: 50 }],
	])('names the action of somebody else if a step failed with %s', async (code, step) => {
		service.print('one two');
		const onStep = () => {
			if (service.actions.length === 0) service.addAction('power_cycle', { status: 'running' });
		};
		const failed = lease.run([{ expect: 'one' }, step, { waitMs: 5 }], { onStep });
		await expect(failed).rejects.toMatchObject({
			code: 'scenario_disturbed',
			message: expect.stringContaining('another action, power_cycle (act_1, requested at '),
			stepIndex: 'fail' in step ? 2 : 1,
			cause: { code },
		});
	});

	it('says which step failed', async () => {
		const steps: ScenarioStep[] = [{ waitMs: 1 }, { expect: 'x', timeout: 50 }, { reset: true }];
		await expect(lease.run(steps)).rejects.toMatchObject({ code: 'not_seen', stepIndex: 1 });
	});

	const anchored = '^ and $ are not the ends of a line: use the flag m, or expectLine.';
	const noEnter = 'The last input does not end with \\r: does the board wait for the Enter key?';
	it.each<[ScenarioStep[], string | undefined]>([
		[[{ expect: /^ok/ }], anchored],
		[[{ send: 'x' }, { expect: /ok$/i }], anchored],
		[[{ expect: /^ok$/m }], undefined],
		[[{ expect: /[^ ]\$ ok/ }], undefined],
		[[{ expect: '^ok$' }], undefined],
		[[{ send: 'root' }, { expect: 'ok' }], noEnter],
		[[{ send: Uint8Array.of(113) }, { waitMs: 1 }, { expect: 'ok' }], noEnter],
		[[{ send: 'root\r' }, { expect: 'ok' }], undefined],
		[[{ send: 'root' }, { send: '\n' }, { expect: 'ok' }], undefined],
		[[{ send: 'root' }, { expect: 'login' }, { expect: 'ok' }], undefined],
	])('says what may be wrong with %j', async (steps, hint) => {
		service.print('login: ');
		const error = await lease.run(steps, { timeout: 30 }).catch((error) => error);
		expect(error.code).toBe('not_seen');
		if (hint === undefined) expect(error.hint).toBeUndefined();
		else expect(error.hint).toContain(hint);
	});

	it('is not disturbed by its own reset that fails', async () => {
		service.setOnAction((action) => service.finish(action, 'failed', 'No probe'));
		await expect(lease.run([{ reset: true }])).rejects.toMatchObject({ code: 'action_failed' });
	});

	it('fails if input was not sent before the time is up', async () => {
		service.faults.push(({ method, path }) =>
			method === 'POST' && path.endsWith('/console') ? service.lost() : undefined,
		);
		const outcomes: StepOutcome[] = [];
		const onStep = (outcome: StepOutcome) => outcomes.push(outcome);
		const failed = await lease
			.run([{ send: 'x' }], { timeout: 100, onStep })
			.catch((error) => error);
		expect(isBoardAccessError(failed)).toBe(true);
		expect(outcomes).toMatchObject([{ index: 0, error: failed }]);
	});

	it('makes an expectation say that it had no turn, not that nothing was printed', async () => {
		service.print('PASS');
		const running = lease.run([{ waitMs: 300 }, { expect: 'PASS' }]);
		const error = await lease.console.expect('PASS', { timeout: 50 }).catch((reason) => reason);
		expect(error).toMatchObject({
			code: 'not_seen',
			message:
				'The console was not searched for "PASS" within 0.05 s: another expectation or scenario of this lease had its turn',
		});
		expect(await running).toMatchObject([{}, { match: { matched: 'PASS' } }]);
	});

	it('does not count what it waits as part of its time limit', async () => {
		service.print('ready');
		await lease.run([{ waitMs: 300 }, { expect: 'ready' }], { timeout: 200 });
	});

	it.each<[unknown, string]>([
		[{}, 'steps: must be a list'],
		[[], 'steps: must be a list of steps'],
		[
			[{ expct: 'x' }],
			'steps[0]: there is no "expct". Did you mean expect? Allowed: expect, fail,',
		],
		[[{ wait: 5 }], 'steps[0]: there is no "wait". Did you mean waitMs?'],
		[[{ reset: true }, { expect: 'x', send: 'y' }], 'steps[1]: a step has one of'],
		[new Array(1), 'steps[0]: must be a map of expect, fail'],
		[[{}], 'steps[0]: a step has one of expect, fail, send, waitMs, reset'],
		[[{ timeout: 5 }], 'steps[0]: a step has one of'],
		[[{ expect: '' }], 'steps[0]: expect: must be text that is not empty'],
		[[{ fail: [] }], 'steps[0]: fail: must be'],
		[[{ send: 5 }], 'steps[0]: send: must be'],
		[[{ waitMs: '5s' }], 'steps[0]: waitMs: must be a number of milliseconds'],
		[[{ reset: false }], 'steps[0]: reset: must be true'],
		[[{ send: 'x', timeout: 5 }], 'steps[0]: only expect can have a timeout'],
		[[{ expect: 'x', timeout: 0 }], 'steps[0]: timeout: must be'],
		[[null, { send: '' }], 'steps[0]: must be a map of expect, fail,'],
		[[null, { send: '' }], '; steps[1]: send: must be text'],
	])('rejects %j before it does anything', async (steps, message) => {
		const failed = lease.run(steps as ScenarioStep[]);
		await expect(failed).rejects.toThrow(message);
		expect(service.actions).toEqual([]);
	});
});

const missing = '\r\n[… 12 bytes dropped …]\r\n';
const text = fc
	.array(fc.constantFrom('ALPHA ', 'ALPHA ', 'BETA ', 'noise ', 'FAIL ', missing), { maxLength: 3 })
	.map((tokens) => tokens.join(''));

/** A step, and what the board prints before it, when it begins, and when it was carried out. */
const scripted = fc.record({
	kind: fc.constantFrom('expect', 'expect', 'fail', 'send', 'wait', 'reset'),
	wanted: fc.constantFrom('ALPHA', 'BETA'),
	before: text,
	during: text,
	after: text,
	isRejected: fc.integer({ max: 15, min: 0 }).map((number) => number === 0),
	isDisturbed: fc.integer({ max: 15, min: 0 }).map((number) => number === 0),
});
type Scripted = typeof scripted extends fc.Arbitrary<infer Value> ? Value : never;

const stepOf = ({ kind, wanted }: Scripted): ScenarioStep => {
	if (kind === 'expect') return { expect: wanted };
	if (kind === 'fail') return { fail: 'FAIL' };
	if (kind === 'send') return { send: wanted };
	return kind === 'wait' ? { waitMs: 2 } : { reset: true };
};

/** Whether a scenario may pass, from nothing but all that its board printed. */
function mayPass(script: readonly Scripted[]) {
	let output = '';
	let from = 0;
	let isGuarded = false;
	let isDisturbed = false;
	const isClean = (until?: number) => {
		const seen = output.slice(from, until);
		return !isGuarded || !(seen.includes('FAIL') || seen.includes(missing));
	};
	for (const [index, { kind, wanted, before, during, after, ...step }] of script.entries()) {
		output += before;
		isDisturbed ||= step.isDisturbed && index > 0;
		if (kind === 'fail') isGuarded = true;
		if (kind === 'send') {
			if (step.isRejected) return false;
			output += during;
		}
		if (kind === 'wait' && !isClean()) return false;
		if (kind === 'reset') {
			output += during;
			const start = output.length;
			output += after;
			if (!isClean()) return false;
			from = start;
		}
		if (kind === 'expect') {
			const start = output.indexOf(wanted, from);
			if (start < 0 || !isClean(start + wanted.length)) return false;
			from = start + wanted.length;
		} else if (index === script.length - 1 && !isClean()) return false;
	}
	return !isDisturbed;
}

async function passes(script: readonly Scripted[]) {
	await begin();
	let current = 0;
	const startStep = (index: number) => {
		current = index;
		const step = script[index];
		if (step?.isDisturbed && index > 0) service.addAction('reset', { status: 'done' });
		if (step?.before) service.print(step.before);
	};
	service.setOnAction((action) => {
		const { during = '', after = '' } = script[current] ?? {};
		if (during) service.print(during);
		service.finish(action, 'done');
		if (after) service.print(after);
	});
	service.faults.push(({ method, path, body }) => {
		if (method !== 'POST' || !path.endsWith('/console') || body.length === 0) return undefined;
		const { during = '', isRejected } = script[current] ?? {};
		if (isRejected) return service.failure(400, 'invalid_request', 'Not taken.');
		if (during) service.print(during);
		return undefined;
	});
	startStep(0);
	const onStep = ({ index }: StepOutcome) => startStep(index + 1);
	try {
		await lease.run(script.map(stepOf), { timeout: 250, onStep });
	} catch (error) {
		if (!isBoardAccessError(error)) throw error;
		return false;
	}
	const sent = script.filter(({ kind }) => kind === 'send').map(({ wanted }) => wanted);
	expect(Buffer.concat(service.typed).toString()).toBe(sent.join(''));
	const resets = script.filter(({ kind }) => kind === 'reset');
	expect(service.actions).toHaveLength(resets.length);
	return true;
}

// The invariant: a scenario passes only if every step was carried out, each expectation is met by output
// after that of the last one and after the last reset, nothing that must not appear was shown from its
// `fail` on, none of that output is missing, and nobody else acted on the board.
it('passes if and only if all that the board printed allows it', {
	timeout: 120_000,
	tags: 'generated',
}, async () => {
	let passed = 0;
	const script = fc.array(scripted, { minLength: 1, maxLength: 6 });
	await fc.assert(
		fc.asyncProperty(script, async (steps) => {
			const isPassed = await passes(steps);
			expect(isPassed).toBe(mayPass(steps));
			if (isPassed) passed++;
		}),
		{ numRuns: runs(40) },
	);
	// About one in three does.
	expect(passed).toBeGreaterThan(runs(40) / 20);
});

const acted = fc.record({
	isOwn: fc.boolean(),
	action: fc.constantFrom('flash', 'reset'),
	status: fc.constantFrom('queued', 'running', 'done', 'done', 'failed'),
});
type Acted = typeof acted extends fc.Arbitrary<infer Value> ? Value : never;

/** One action, of this lease object or of somebody else. */
async function act({ isOwn, action, status }: Acted) {
	if (!isOwn) return void service.addAction(action, { status, console_offset: 0 });
	service.setOnAction((own) => service.finish(own, status === 'failed' ? 'failed' : 'done'));
	const firmware = new TextEncoder().encode(':00000001FF\n');
	await (action === 'flash' ? lease.flash(firmware) : lease.reset()).catch(() => {});
	service.setOnAction((own) => service.finish(own, 'done'));
}

/** Whether a scenario may know its board after these actions. */
function isKnown(before: readonly Acted[]) {
	const newer = before.slice(before.findLastIndex(({ isOwn }) => isOwn) + 1);
	const isOver = before.every(({ isOwn, status }) => isOwn || ['done', 'failed'].includes(status));
	if (newer.length < before.length) return isOver && newer.length === 0;
	return newer.every(({ status }) => status === 'done');
}

/** When another action begins: before the scenario reads the actions, afterwards, after a step, or during the last. */
const moments = ['before', 'begun', 'sent', 'reset', 'last'] as const;
const history = fc.record({
	isAttached: fc.boolean(),
	before: fc.array(acted, { maxLength: 4 }),
	others: fc.array(fc.tuple(acted, fc.constantFrom(...moments)), { maxLength: 2 }),
});
type History = typeof history extends fc.Arbitrary<infer Value> ? Value : never;

async function endOf({ isAttached, before, others }: History) {
	await begin();
	service.addAction('erase', { phase: 'prepare', status: 'failed' });
	if (isAttached) lease = await service.createClient().leases.get('lse_1');
	for (const each of before) await act(each);
	let moment = 0;
	const reach = (next: (typeof moments)[number]) => {
		if (moments[moment] !== next) return undefined;
		moment++;
		// What this lease object does itself is requested a little later, so not during the last step.
		for (const [each, at] of others) {
			if (at === next) void act({ ...each, isOwn: each.isOwn && next === 'sent' });
		}
		return undefined;
	};
	service.faults.push(({ path }) => (path.endsWith('/actions') ? reach('before') : undefined));
	service.lateFaults.push(({ path, body }) => {
		if (path.endsWith('/actions')) return reach('begun');
		return path.endsWith('/console') && body.length > 0 ? reach('last') : undefined;
	});
	const steps: ScenarioStep[] = [{ send: 'x' }, { reset: true }, { send: 'y' }];
	const onStep = ({ index }: StepOutcome) => reach(index === 0 ? 'sent' : 'reset');
	return await lease.run(steps, { onStep }).then(
		() => 'passed',
		(error) => error.code,
	);
}

// The invariant: no action but those of its own steps touches the board of a scenario that passes, from the
// last action of its lease object on or, if there is none, from others that were all done.
it('passes if and only if nothing else acts on its board', async () => {
	const ends: string[] = [];
	await fc.assert(
		fc.asyncProperty(history, async ({ before, others, ...rest }) => {
			const early = others.filter(([, at]) => at === 'before').map(([each]) => each);
			const known = isKnown([...before, ...early.map((each) => ({ ...each, isOwn: false }))]);
			const isAlone = early.length === others.length;
			const end = await endOf({ before, others, ...rest });
			expect(end).toBe(known && isAlone ? 'passed' : 'scenario_disturbed');
			ends.push(end);
		}),
		{ numRuns: 200 },
	);
	for (const end of new Set(ends)) {
		expect(ends.filter((each) => each === end).length).toBeGreaterThan(20);
	}
}, 60_000);
