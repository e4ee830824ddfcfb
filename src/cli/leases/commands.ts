// `board-access leases`: create, list, renew and release leases.
import type { LeaseRecord } from 'board-access';
import { type Command, Option } from 'commander';
import { readDuration } from '../../ci/duration.ts';
import { leaseStatuses } from '../../contract/index.ts';
import { eachOf, requireAll } from '../failures/each.ts';
import {
	addServiceCommand,
	argument,
	examples,
	type ServiceOptions,
	wholeNumber,
} from '../options.ts';
import { connect } from '../service/connect.ts';
import type { Io } from '../terminal/io.ts';
import { note, printJson, printList } from '../terminal/output.ts';
import { quoted } from '../terminal/style.ts';
import { type BoardOptions, boardOf, withBoard, withKnownTypes } from './board-option.ts';
import { leaseColumns, printLease } from './columns.ts';
import { leaseProgressText } from './progress.ts';
import { createStatus, sayingSo } from './status.ts';

const leaseId = 'lse_0123456789abcdef01234567';

interface CreateOptions extends ServiceOptions, BoardOptions {
	minutes?: number;
	wait: number;
	label?: string;
	requiresAgent?: boolean;
}

interface ListOptions extends ServiceOptions {
	status?: string;
}

interface RenewOptions extends ServiceOptions {
	minutes?: number;
}

export function addLeases(program: Command, io: Io) {
	const leases = program.command('leases').description('create, list, renew and release leases');
	addCreate(leases, io);
	addServiceCommand(leases, 'list')
		.description('list the leases of the account, newest first')
		.addOption(
			new Option('--status <status>', 'only leases with this status')
				.choices(leaseStatuses)
				.argParser((status) => status),
		)
		.addHelpText('after', examples('board-access leases list --status active'))
		.action((options: ListOptions) => list(options, io));
	addServiceCommand(leases, 'get')
		.description('show one lease')
		.argument('<id>', 'ID of the lease')
		.addHelpText('after', examples(`board-access leases get ${leaseId}`))
		.action((id: string, options: ServiceOptions) => get(id, options, io));
	addServiceCommand(leases, 'renew')
		.description('extend a lease, counted from now')
		.argument('<id>', 'ID of the lease')
		.option(
			'--minutes <number>',
			'minutes from now; by default the minutes of the lease',
			wholeNumber,
		)
		.addHelpText('after', examples(`board-access leases renew ${leaseId} --minutes 30`))
		.action((id: string, options: RenewOptions) => renew(id, options, io));
	addServiceCommand(leases, 'release')
		.description('release boards; a lease that has already ended is not an error')
		.argument('<ids...>', 'IDs of the leases')
		.addHelpText('after', examples(`board-access leases release ${leaseId}`))
		.action((ids: string[], options: ServiceOptions) => release(ids, options, io));
}

function addCreate(leases: Command, io: Io) {
	return withBoard(addServiceCommand(leases, 'create'))
		.description('lease a board and print the ID of the lease when the board is ready')
		.option(
			'--minutes <number>',
			'how long the lease lasts unless it is renewed; by default 10',
			wholeNumber,
		)
		.addOption(
			new Option('--wait <duration>', 'how long to wait for a free board')
				.argParser(argument(readDuration))
				.default(0, 'do not wait'),
		)
		.option('--label <label>', 'what the lease is for')
		.option('--requires-agent', 'only a board that can be flashed, not one without an agent')
		.addHelpText(
			'after',
			examples(
				'board-access leases create --type arduino-uno --minutes 30',
				'LEASE=$(board-access leases create --type esp32-s3 --wait 10m)',
			),
		)
		.action((options: CreateOptions) => create(options, io));
}

async function create(options: CreateOptions, io: Io) {
	const { type, minutes, wait, label, requiresAgent } = options;
	const board = boardOf(options);
	const status = createStatus(options, io);
	const client = await connect(options, io, options.json ? undefined : sayingSo(status));
	try {
		const lease = await client.leases.create(
			{ ...board, minutes, waitSeconds: Math.ceil(wait / 1000), label, requiresAgent },
			{
				// The lease is only renewed while it waits; the command then ends, and the lease has its minutes.
				renew: false,
				signal: io.signal,
				onProgress: (progress) => options.json || status.transient(leaseProgressText(progress)),
			},
		);
		status.clear();
		printCreated(lease, options, io);
	} catch (error) {
		throw await withKnownTypes(error, { client, type, io });
	} finally {
		status.clear();
	}
}

function printCreated(lease: LeaseRecord, { json }: CreateOptions, io: Io) {
	if (json) return printJson(lease, io);
	io.stdout.write(`${quoted(lease.id)}\n`);
	const { id, boardId, minutes } = lease;
	note(`${boardId} is yours for ${minutes} minutes: board-access console ${id}`, io);
}

async function list(options: ListOptions, io: Io) {
	const client = await connect(options, io);
	const { status } = options;
	const leases = await client.leases.list({ status }, { signal: io.signal });
	printList(leases, { columns: leaseColumns, empty: 'No leases.' }, { options, io });
}

async function get(id: string, options: ServiceOptions, io: Io) {
	const client = await connect(options, io);
	const lease = await client.leases.get(id, { signal: io.signal });
	if (options.json) return printJson(lease, io);
	printLease(lease, io);
}

async function renew(id: string, options: RenewOptions, io: Io) {
	const client = await connect(options, io);
	const lease = await client.leases.get(id, { signal: io.signal });
	const { minutes = lease.minutes ?? undefined } = options;
	await lease.renew({ minutes }, { signal: io.signal });
	if (options.json) return printJson(lease, io);
	note(`The lease ${id} ends at ${lease.expiresAt} unless it is renewed.`, io);
}

async function release(ids: readonly string[], options: ServiceOptions, io: Io) {
	const client = await connect(options, io);
	const releaseOne = async (id: string) => {
		const lease = await client.leases.get(id, { signal: io.signal });
		const hadEnded = lease.status === 'ended';
		await lease.release({ signal: io.signal });
		const text = hadEnded ? `The lease ${id} had ended: ${lease.endReason}.` : releasedText(lease);
		if (!options.json) note(text, io);
		return lease;
	};
	const { results, failures } = await eachOf(ids, releaseOne, io);
	if (options.json) printJson(results, io);
	requireAll(failures, 'lease', 'released');
}

function releasedText({ id, credits }: LeaseRecord) {
	return `The lease ${id} is released${credits ? `; it cost ${credits} credits` : ''}.`;
}
