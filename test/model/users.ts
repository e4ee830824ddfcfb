// Users: what they do with the client, and what they record.
import type { AnyLease, BoardAccess, ConsoleMatch, Lease } from 'board-access';
import type { runFirmwareTest } from '../../src/ci/firmware-test.ts';
import { visitAsColleague } from './colleagues.ts';
import { firmwareNamed } from './hardware.ts';
import { accounts, type Job, type Step, type User } from './plan.ts';
import { addText, bytesOf } from './rules/console.ts';
import type { Firmware } from './rules/verdicts.ts';
import type { Rules } from './rules.ts';
import { emailOf } from './seed.ts';
import type { Process, Simulation } from './simulation.ts';
import type { Troubles } from './troubles.ts';

/** The program of one user, as it runs in one process. */
export interface UserProgram {
	user: User;
	process: Process;
	client: BoardAccess;
	/** Of the client's own script. */
	runTest: typeof runFirmwareTest;
	rules: Rules;
	troubles: Troubles;
	/** Starts another process, of the same account unless another is given, and returns its client. */
	visitor(account?: number): { process: Process; client: BoardAccess };
	/** Ends this process at once. */
	crash(): void;
	/** How often the user's process was started before. */
	start: number;
	/** The number of the job to begin with. */
	firstJob: number;
	/** Whether the client was told that an action had failed, since it was last asked. */
	sawFailure(process: Process): boolean;
	onJobDone(job: number): void;
	/** Nothing goes wrong any more: what has begun is finished, and nothing else begins. */
	isCalm(): boolean;
}

/** Carries out the jobs, one after the other. */
export async function runUser(program: UserProgram): Promise<void> {
	const { user, firstJob } = program;
	for (const [index, job] of user.jobs.entries()) {
		if (index < firstJob) continue;
		await sleep(program.process, job.after);
		if (job.from !== undefined) await sleepUntil(program.process, job.from);
		if (!program.isCalm())
			await new JobRun(program, job, `${user.name}.${index}.${program.start}`).run();
		program.onJobDone(index);
	}
}

const line = /<(\w+):(\d+):(\d+)#(\d+)(?: [^>]*)?>/;

/** What nobody begins once nothing goes wrong any more. */
const pastimes = new Set<Step['do']>(['idle', 'read', 'visit', 'colleague']);

class JobRun {
	readonly #program: UserProgram;
	readonly #job: Job;
	readonly #label: string;
	readonly #simulation: Simulation;
	/** The line that was matched last. */
	#matched = 0;
	/** Where the next expectation begins. */
	#nextOffset = 0;
	#written = 0;
	#colleaguesWritten = 0;

	constructor(program: UserProgram, job: Job, label: string) {
		this.#program = program;
		this.#job = job;
		this.#label = label;
		this.#simulation = program.process.simulation;
	}

	async run() {
		if (this.#job.tests) return await this.#test(this.#job.tests);
		if (this.#job.repairs) return await this.#repair();
		const lease = await this.#create();
		if (!lease) return;
		for (const [index, step] of this.#job.steps.entries()) {
			if (this.#program.isCalm() && pastimes.has(step.do)) continue;
			await this.#step(lease, step, index);
		}
		if (this.#job.end === 'crash') {
			this.#program.crash();
			await new Promise(() => {}); // the process is dead
		}
		await this.#release(lease);
	}

	async #create(): Promise<Lease | undefined> {
		const { rules, process, client } = this.#program;
		const { board, type, peer, minutes, waitSeconds } = this.#job;
		const { renew, progress, timeout, abortAfter } = this.#job;
		const stop = new AbortController();
		if (abortAfter !== undefined)
			process.after(abortAfter, () => stop.abort(new Error('The user has left')));
		const limit = Math.min(
			timeout ?? Number.POSITIVE_INFINITY,
			abortAfter ?? Number.POSITIVE_INFINITY,
		);
		const wanted = board === undefined ? { boardType: type } : { boardId: board };
		const terms = {
			label: this.#label,
			waitMs: waitSeconds * 1000,
			...(minutes !== undefined && { durationMs: minutes * 60_000 }),
		};
		const options = {
			renew,
			signal: stop.signal,
			...(timeout !== undefined && { timeout }),
			...(progress && { onProgress() {} }),
		};
		const create = async () => {
			if (peer === undefined) return [await client.leases.create({ ...wanted, ...terms }, options)];
			const boards = { dut: wanted, peer: { boardType: peer } };
			return Object.values(await client.leases.createGroup(boards, terms, options));
		};
		try {
			const leases = await this.#call(
				`create ${this.#label}`,
				create,
				Number.isFinite(limit) ? limit : undefined,
			);
			for (const lease of leases) {
				rules.beliefs.push({ process, lease, minutes: minutes ?? 2, renews: renew });
			}
			return leases[0];
		} catch (error) {
			this.#noteFailedCreation(limit);
			this.#note(`create failed: ${nameOf(error)}`);
			return undefined;
		}
	}

	/** As `board-access run` does it. */
	async #test(firmware: Firmware) {
		const { rules, troubles, process, client, runTest } = this.#program;
		const label = this.#label;
		const began = this.#simulation.now;
		const { type: boardType, waitSeconds, minutes = 5 } = this.#job;
		rules.requested.set(`${label} flash`, { calls: 1, done: 0 });
		const test = {
			boards: [
				{
					role: null,
					wanted: { boardType },
					file: 'firmware.hex',
					firmware: firmwareNamed(`${label}/${firmware}`),
				},
			],
			lease: { label, waitMs: waitSeconds * 1_000, durationMs: minutes * 60_000 },
			steps: [{ expect: `PASS ${label}` }],
			fail: `FAIL ${label}`,
			timeout: 60_000,
		};
		const { report } = await this.#call('test', () => runTest(client, test, { onEvent() {} }));
		const lease = rules.leases.get(report.leaseId ?? '');
		const span = this.#simulation.now - began + 60_000;
		const quiet = lease
			? Math.min(troubles.quietFor(process.name), troubles.boardQuietFor(lease.row.board_id ?? ''))
			: 0;
		const isUndisturbed = quiet > span && !lease?.isFaulty && !lease?.failures;
		this.#note(`test ${firmware} ${report.result} ${report.message}`);
		const { result, message } = report;
		rules.verdicts.ended({ label, firmware, result, message, isUndisturbed });
		const { credits } = lease?.row ?? {};
		if (lease && !lease.restored && report.credits !== null && report.credits !== credits)
			rules.violated('credits add up', `${label} is told ${report.credits}, and costs ${credits}`);
	}

	/** The operator looks after the boards that have failed. */
	async #repair() {
		const { client } = this.#program;
		await this.#try('repair', async () => {
			for await (const { id } of client.boards.list({ status: 'maintenance' }))
				await client.admin.boards.setMaintenance(id, { on: false });
		});
	}

	#noteFailedCreation(limit: number) {
		const { rules, process, troubles } = this.#program;
		const { minutes = 2, waitSeconds, renew } = this.#job;
		const isShort = Number.isFinite(limit) || troubles.wasAwayFor(process.name, 20_000);
		// It may become active just before it would end in the queue.
		const left = 2 * minutes * 60_000 + (renew ? 0 : waitSeconds * 1000 + 900_000);
		const grace = isShort ? left + 15_000 : 0;
		rules.failedCreations.set(this.#label, { process, at: this.#simulation.now, grace });
	}

	async #release(lease: Lease) {
		const { rules } = this.#program;
		rules.givenBack.add(lease.id);
		try {
			await this.#call('release', () => lease.release());
		} catch (error) {
			this.#note(`release failed: ${nameOf(error)}`);
			return;
		}
		const known = rules.leases.get(lease.id);
		if (known && known.row.status !== 'ended' && !known.restored) {
			rules.violated('a release reaches the service', `${lease.id} is ${known.row.status}`);
		}
	}

	async #step(lease: Lease, step: Step, index: number) {
		switch (step.do) {
			case 'idle':
				return await sleep(this.#program.process, step.milliseconds);
			case 'expect':
				return await this.#expect(lease, step.milliseconds);
			case 'write':
				return await this.#write(lease, step.units, step.size);
			case 'act':
				return await this.#act(lease, step.action === 'power' ? 'power_cycle' : step.action, () =>
					step.action === 'power'
						? lease.power('cycle')
						: lease[step.action as 'reset' | 'erase'](),
				);
			case 'flash':
				return await this.#act(lease, 'flash', () =>
					lease.flash(firmwareNamed(`${this.#label}/${index}`)),
				);
			case 'renew':
				return await this.#try('renew', () =>
					lease.renew({ durationMs: step.minutes && step.minutes * 60_000 }),
				);
			case 'refresh':
				return await this.#try('refresh', () => lease.refresh());
			case 'read':
				return await this.#read(lease, this.#program.process, step);
			case 'visit':
				return await this.#visit(lease, step);
			case 'share':
				return await this.#share(lease, step);
			case 'unshare':
				return await this.#share(lease, { ...step, access: null });
			case 'colleague':
				void this.#callColleague(lease, step);
				return;
			case 'pin':
				return await this.#drive(lease, step);
		}
	}

	async #expect(lease: Lease, milliseconds: number) {
		const { rules, troubles, process } = this.#program;
		const began = this.#simulation.now;
		try {
			const match = await this.#call(
				'expect',
				() => lease.console.expect(line, { timeout: milliseconds }),
				milliseconds,
			);
			const { groups } = match;
			this.#noteMatch(lease, match);
			const [board = '', session, , number] = [groups['1'], groups['2'], groups['3'], groups['4']];
			this.#checkLine(lease, board, Number(session));
			if (Number(number) <= this.#matched) {
				rules.violated(
					'nothing matches twice',
					`line ${number} after ${this.#matched} on ${board}`,
				);
			}
			this.#matched = Number(number);
		} catch (error) {
			const name = nameOf(error);
			this.#note(`expect failed: ${name}`);
			if (name !== 'ExpectationError') return;
			if (troubles.awaySince(process.name, began)) {
				rules.violated(
					'a lost connection is not a failure of the firmware',
					`${process.name} was cut off all the time`,
				);
			}
			this.#checkNotSeen(lease, began, milliseconds);
		}
	}

	/** What is not known to follow the last match begins with the match itself: bytes may be missing before. */
	#noteMatch(lease: Lease, { matched, before, offset, nextOffset }: ConsoleMatch) {
		const { rules, process } = this.#program;
		const [, gap, last = ''] = /^(.*\r\n)?(.*)$/s.exec(before) ?? [];
		const start = offset - bytesOf(last).length;
		const end = Math.max(this.#nextOffset, lease.console.actionOffset);
		const from = gap === undefined ? end : start;
		const reading = rules.console.reading(`an expectation of ${process.name}`, lease.id, from);
		addText(reading, { text: last + matched, offset: start, nextOffset }, this.#simulation.now);
		this.#nextOffset = nextOffset;
	}

	/** What the board prints is seen. */
	#checkNotSeen(lease: Lease, began: number, milliseconds: number) {
		const { rules, troubles, process } = this.#program;
		const known = rules.leases.get(lease.id);
		const board = known?.row.board_id;
		if (!board || known.row.status !== 'active' || known.restored || milliseconds < 20_000) return;
		const span = this.#simulation.now - began + 40_000;
		const isQuiet = Math.min(troubles.quietFor(process.name), troubles.boardQuietFor(board)) > span;
		const printed = rules.sessionOf(lease.id)?.printedAt ?? 0;
		if (!isQuiet || printed < began + 3_000 || printed > this.#simulation.now - 5_000) return;
		rules.violated(
			'what is printed is seen',
			`${process.name}: nothing of ${board} for ${milliseconds} ms`,
		);
	}

	#checkLine(lease: AnyLease, board: string, session: number) {
		const { rules } = this.#program;
		const owner = rules.leaseOfSession(board, session);
		if (owner === lease.id) return;
		rules.violated(
			'nothing of an old lease',
			`${lease.id} reads session ${session} of ${board}, which is of ${owner}`,
		);
	}

	async #write(lease: Lease, units: number, size: number) {
		const confirmed = this.#program.rules.confirmed.get(this.#label) ?? new Set();
		this.#program.rules.confirmed.set(this.#label, confirmed);
		for (let unit = 0; unit < units; unit++) {
			const number = this.#written++;
			const text = `${this.#label}/${number}`.padEnd(size, '.');
			try {
				await this.#call('write', () => lease.console.write(`${text}\n`));
				confirmed.add(number);
			} catch (error) {
				this.#note(`write failed: ${nameOf(error)}`);
				// A part of it may have been sent, so that the next unit would begin in the middle of this one.
				await this.#try('write', () => lease.console.write('\n'));
				return;
			}
		}
	}

	async #act(lease: Lease, action: string, act: () => Promise<unknown>) {
		const { rules, process } = this.#program;
		const name = `${this.#label} ${action}`;
		const count = rules.requested.get(name) ?? { calls: 0, done: 0 };
		rules.requested.set(name, count);
		count.calls += 1;
		this.#program.sawFailure(process);
		try {
			await this.#call(action, act);
			count.done += 1;
			this.#matched = Math.max(this.#matched, rules.sessionOf(lease.id)?.actedAtLine ?? 0);
		} catch (error) {
			this.#note(`${action} failed: ${nameOf(error)}`);
			if (!this.#program.sawFailure(process)) return;
			if (['ActionFailedError', 'LeaseEndedError'].includes(nameOf(error))) return;
			rules.violated(
				'the error that matters',
				`${action} failed on the board, and the user is told ${nameOf(error)}`,
			);
		}
	}

	async #read(
		lease: AnyLease,
		process: Process,
		{ milliseconds, lines = false }: { milliseconds: number; lines?: boolean },
	) {
		const { rules, troubles } = this.#program;
		const stop = new AbortController();
		process.after(milliseconds, () => stop.abort(new Error('The user has read enough')));
		const reading = rules.console.reading(process.name, lease.id);
		let text = '';
		try {
			await this.#call(
				'read',
				async () => {
					const { signal } = stop;
					const pieces = lines
						? lease.console.lines({ signal })
						: lease.console.text({ signal, withOffsets: true });
					for await (const piece of pieces) {
						addText(reading, piece, this.#simulation.now);
						text += piece.text;
						for (const [, board = '', session] of text.matchAll(new RegExp(line, 'g'))) {
							this.#checkLine(lease, board, Number(session));
						}
						text = text.slice(text.lastIndexOf('>') + 1);
					}
				},
				milliseconds,
				process,
			);
		} catch (error) {
			if (stop.signal.aborted) {
				const board = rules.leases.get(lease.id)?.row.board_id ?? '';
				const quiet = Math.min(troubles.quietFor(process.name), troubles.boardQuietFor(board));
				if (quiet > 45_000) reading.completeUntil = this.#simulation.now - 10_000;
				return;
			}
			this.#note(`read failed: ${nameOf(error)}`);
			const known = rules.leases.get(lease.id);
			if (
				known?.row.status !== 'active' ||
				known.restored ||
				troubles.wasAwayFor(process.name, 45_000)
			)
				return;
			rules.violated(
				'a reader lasts as long as the lease',
				`${process.name} of ${lease.id}: ${nameOf(error)}`,
			);
		}
	}

	/** Another process reads along, and may extend the lease. */
	async #visit(
		lease: Lease,
		{ milliseconds, minutes, attaches = false }: Extract<Step, { do: 'visit' }>,
	) {
		const { rules } = this.#program;
		const { process, client } = this.#program.visitor();
		await this.#try(
			'visit',
			async () => {
				const same = await client.leases[attaches ? 'attach' : 'get'](lease.id);
				rules.beliefs.push({
					process,
					lease: same,
					minutes: minutes ?? same.minutes,
					renews: attaches,
				});
				if (minutes !== undefined) await same.renew({ durationMs: minutes * 60_000 });
				await this.#read(same, process, { milliseconds });
			},
			process,
		);
		process.kill();
	}

	async #share(lease: Lease, { to, access }: { to: number; access: 'look' | 'type' | null }) {
		const { rules } = this.#program;
		const { email } = this.#colleagueOf(to);
		const confirm = rules.sharing.requests({ lease: lease.id, email });
		await this.#try(access === null ? 'unshare' : 'share', async () => {
			if (access === null) await lease.unshare(email);
			else await lease.share(email, { access });
			confirm(access);
		});
	}

	#colleagueOf(to: number) {
		const account = (this.#program.user.account + to) % accounts;
		return { account, email: emailOf(account) };
	}

	async #callColleague(lease: Lease, { to, milliseconds }: Extract<Step, { do: 'colleague' }>) {
		const { rules, troubles, visitor } = this.#program;
		const { account, email } = this.#colleagueOf(to);
		const { process, client } = visitor(account);
		await visitAsColleague({
			process,
			client,
			rules,
			troubles,
			lease: lease.id,
			label: this.#label,
			email,
			milliseconds,
			call: (name, work) => this.#call(name, work, undefined, process),
			nextUnit: () => this.#colleaguesWritten++,
		});
	}

	async #drive(lease: Lease, { pin, release }: Extract<Step, { do: 'pin' }>) {
		const { pins } = this.#program.rules;
		const volts = release ? null : pins.nextVoltage(lease.id);
		pins.set(lease.id, pin, undefined);
		await this.#try('drivePin', async () => {
			await lease.drivePin(pin, volts);
			pins.set(lease.id, pin, volts);
		});
	}

	async #try(name: string, work: () => Promise<unknown>, process = this.#program.process) {
		try {
			await this.#call(name, work, undefined, process);
		} catch (error) {
			this.#note(`${name} failed: ${nameOf(error)}`);
		}
	}

	/** Every call has to settle, and within its limit if it has one. */
	async #call<Result>(
		name: string,
		work: () => Promise<Result>,
		limit?: number,
		process = this.#program.process,
	): Promise<Result> {
		const { now } = this.#simulation;
		const call = {
			process,
			name,
			at: now,
			limit: limit === undefined ? undefined : now + limit,
			settledAt: undefined as number | undefined,
		};
		this.#program.rules.calls.push(call);
		this.#note(name);
		try {
			return await work();
		} finally {
			call.settledAt = this.#simulation.now;
			this.#note(`${name} settled`);
		}
	}

	#note(text: string) {
		this.#simulation.note(`${this.#label}: ${text}`);
	}
}

/** By the calendar, which a machine that stands still does not stop. */
function sleepUntil(process: Process, time: number) {
	return new Promise<void>((resolve) => {
		process.simulation.at(time, () => {
			if (process.alive) resolve();
		});
	});
}

function sleep(process: Process, milliseconds: number) {
	return new Promise<void>((resolve) => {
		process.after(milliseconds, resolve);
	});
}

function nameOf(error: unknown) {
	if (!(error instanceof Error)) return String(error);
	const code = 'code' in error ? ` ${error.code}` : '';
	return error.name === 'Error'
		? `${error.name} ${error.message}`
		: `${error.name}${error.name.endsWith('Error') ? '' : code}`;
}
