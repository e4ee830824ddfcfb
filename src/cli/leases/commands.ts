// `board-access leases`: create, list, renew and release leases; sharing them is a file of its own.
import type { Lease, LeaseRecord, LeaseStatus } from 'board-access';
import type { Command } from 'commander';
import { safeId } from '../../ci/escape.ts';
import { announcer } from '../../ci/firmware-test.ts';
import { leaseBoards } from '../../ci/wanted-boards.ts';
import { leaseStatuses } from '../../contract/index.ts';
import { priceOf } from '../boards/boards.ts';
import { CliError } from '../failures/cli-error.ts';
import { eachOf } from '../failures/each.ts';
import {
	addCommand,
	openChoice,
	openValue,
	repeatedly,
	type ServiceOptions,
	waitOption,
	wholeNumber,
} from '../options.ts';
import { type Call, withClient } from '../service/connect.ts';
import type { Io } from '../terminal/io.ts';
import {
	type Fields,
	note,
	printJson,
	printList,
	printRecord,
	printResult,
} from '../terminal/output.ts';
import type { Column, Moment } from '../terminal/table.ts';
import { type BoardOptions, boardsOf, withBoard, withKnownTypes } from './options.ts';
import { describe, waitingFor } from './progress.ts';
import { addShares } from './shares.ts';

const sampleId = 'lse_0123456789abcdef01234567';

interface CreateOptions extends ServiceOptions, BoardOptions {
	minutes?: number;
	requiresAgent?: boolean;
}

const columns: readonly Column<LeaseRecord>[] = [
	{ title: 'ID', value: ({ id }) => id, whole: true },
	{ title: 'STATUS', value: ({ status }) => status, whole: true },
	{ title: 'QUEUE', value: ({ queuePosition }) => queuePosition },
	{ title: 'BOARD', value: ({ boardId }) => boardId, whole: true },
	{ title: 'TYPE', value: ({ boardType }) => boardType },
	{ title: 'ROLE', value: ({ role }) => role },
	{ title: 'HOLDER', value: ({ holderEmail }) => holderEmail },
	{ title: 'CREATED', value: ({ createdAt }, moment) => moment(createdAt) },
	{ title: 'READY BY', value: (lease, moment) => moment(lease.preparationExpiresAt) },
	{
		title: 'ENDS',
		value: (lease, moment) => moment(lease.endedAt ?? lease.expiresAt, lease.expiresInMs),
	},
	{ title: 'REASON', value: ({ endReason }) => endReason },
	{ title: 'LABEL', value: ({ label }) => label },
];

export function addLeases(program: Command, io: Io) {
	const leases = program
		.command('leases')
		.description('create, list, renew, share and release leases');
	const creates = 'lease a board and print the ID of the lease when the board is ready';
	const lasts = 'how long the lease lasts unless it is renewed; by default 10';
	const create = addCommand(leases, 'create', creates, [
		'board-access leases create --type arduino-uno --minutes 30',
		'LEASE=$(board-access leases create --type esp32-s3 --tag rack=b2 --wait 10m)',
		'board-access leases create --board dut=rp2040-pico --board peer=arduino-uno --minutes 30',
	]);
	withBoard(create)
		.option('--minutes <number>', lasts, wholeNumber)
		.addOption(waitOption())
		.option('--label <label>', 'what the lease is for')
		.option('--requires-agent', 'only a board that can be flashed, not one without an agent')
		.action(withClient(io, createLease));
	const statuses = 'only leases with this status; repeat it for several statuses';
	const listExample = 'board-access leases list --status active';
	addCommand(leases, 'list', 'list the leases of the account, newest first', [listExample])
		.addOption(
			openChoice('--status <status>', statuses, leaseStatuses).argParser(
				repeatedly(openValue(leaseStatuses)),
			),
		)
		.option('--shared', 'the leases of others that are shared with you, instead of your own')
		.action(
			withClient(
				io,
				async (call: Call<ServiceOptions & { status?: LeaseStatus[]; shared?: true }>) => {
					const { status, shared } = call.options;
					const listed = await call.client.leases.list({ status, shared }, { signal: call.signal });
					printList(listed, { columns, empty: 'No leases.' }, call);
				},
			),
		);
	addCommand(leases, 'get', 'show one lease', [`board-access leases get ${sampleId}`])
		.argument('<id>', 'ID of the lease')
		.action(
			withClient(io, async (call, id: string) => {
				const lease = await call.client.leases.get(id, { signal: call.signal });
				printRecord(lease, detailsOf, call);
			}),
		);
	const minutes = 'minutes from now; by default the minutes of the lease';
	const renewExample = `board-access leases renew ${sampleId} --minutes 30`;
	addCommand(leases, 'renew', 'move the end of a lease, counted from now', [renewExample])
		.argument('<id>', 'ID of the lease')
		.option('--minutes <number>', minutes, wholeNumber)
		.action(withClient(io, renew));
	const releases = 'release boards; a lease that has already ended is not an error';
	addCommand(leases, 'release', releases, [`board-access leases release ${sampleId}`])
		.argument('<ids...>', 'IDs of the leases')
		.action(withClient(io, release));
	addShares(leases, io);
}

async function createLease(call: Call<CreateOptions>) {
	const { client, options, io, signal, status } = call;
	const { type, minutes, wait, label, requiresAgent, sameTag, json } = options;
	const times = { durationMs: minutes && minutes * 60_000, waitMs: wait };
	const boards = boardsOf(options);
	if (boards.some(({ file }) => file)) throw new CliError('No firmware is flashed by this command');
	const onProgress = announcer((event) => void (json || status.transient(describe(event))));
	// Not renewed once it is active, because the command ends then.
	const onLeaseLimit = ({ message }: Error) => void (json || status.transient(waitingFor(message)));
	const watching = { onProgress, onLeaseLimit };
	const terms = { ...times, label, requiresAgent, sameTag };
	const creating = leaseBoards(client, boards, terms, { renew: false, signal, ...watching });
	const [lease, ...others] = await creating.catch(async (error: unknown) => {
		throw await withKnownTypes(error, { client, type, io });
	});
	status.clear();
	if (lease.role !== null) return printGroup([lease, ...others], call);
	if (json) return printJson(lease, io);
	io.stdout.write(`${safeId(lease.id)}\n`);
	const board = await client.boards.get(lease.boardId ?? '', { signal }).catch(() => undefined);
	const yours = `${lease.boardId} is yours for ${lease.minutes} minutes${priceOf(board, ' at ')}`;
	const next = board?.hasAgent === false ? noAgent : `: board-access console ${lease.id}`;
	note(`${yours}${next}`, io);
}

/** A line for each lease: its role and its ID. */
function printGroup(leases: readonly Lease[], { options, io }: Call<CreateOptions>) {
	if (options.json) return printJson(leases, io);
	for (const { role, id } of leases) io.stdout.write(`${role} ${safeId(id)}\n`);
	const all = leases.map(({ role, boardId }) => `${role}: ${boardId}`).join(', ');
	note(`${all} are yours for ${leases[0]?.minutes} minutes; releasing one releases all`, io);
}

const noAgent =
	'. It has no agent, so it cannot be flashed or read: use it where it is, or release it and pass --requires-agent.';

async function renew(call: Call<ServiceOptions & { minutes?: number }>, id: string) {
	const { client, options, signal } = call;
	const lease = await client.leases.get(id, { signal });
	const minutes = options.minutes ?? lease.minutes;
	await lease.renew({ durationMs: minutes * 60_000 }, { signal });
	printResult(lease, `The lease ${id} ends at ${lease.expiresAt} unless it is renewed.`, call);
}

async function release(call: Call, ids: readonly string[]) {
	const { client, options, io, signal } = call;
	await eachOf(ids, { call, what: 'lease', done: 'released' }, async (id) => {
		const lease = await client.leases.get(id, { signal });
		const hadEnded = lease.status === 'ended';
		await lease.release({ signal });
		const cost = lease.credits ? `; it cost ${lease.credits} credits` : '';
		const end = hadEnded ? `had ended: ${lease.endReason}` : `is released${cost}`;
		if (!options.json) note(`The lease ${id} ${end}.`, io);
		return lease;
	});
}

function detailsOf(lease: LeaseRecord, moment: Moment): Fields {
	return [
		['ID', lease.id],
		['Status', lease.status],
		['Access', lease.access === 'hold' ? undefined : lease.access],
		['Holder', lease.holderEmail],
		['Queue position', lease.queuePosition],
		['Board', lease.boardId],
		['Type', lease.boardType],
		['Role', lease.role && `${lease.role} in ${lease.groupId}`],
		['Label', lease.label],
		['Console', [lease.consoleStatus, lease.consoleMessage].filter(Boolean).join(': ')],
		['Halted by', lease.haltedBy],
		['Created', moment(lease.createdAt)],
		['Started', moment(lease.startedAt)],
		['Ready by', moment(lease.preparationExpiresAt)],
		['Ends', lease.endedAt ? undefined : moment(lease.expiresAt, lease.expiresInMs)],
		['Ended', moment(lease.endedAt)],
		['Reason', [lease.endReason, lease.endMessage].filter(Boolean).join(': ')],
		['Credits', lease.credits],
	];
}
