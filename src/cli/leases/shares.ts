// `board-access leases share`, `unshare`, `leave` and `shares`: with whom a lease is shared.
import type { LeaseShare } from 'board-access';
import type { Command } from 'commander';
import { CliError } from '../failures/cli-error.ts';
import { addCommand, type ServiceOptions } from '../options.ts';
import { type Call, withClient } from '../service/connect.ts';
import type { Io } from '../terminal/io.ts';
import { note, printList, printResult } from '../terminal/output.ts';
import type { Column } from '../terminal/table.ts';

const sampleId = 'lse_0123456789abcdef01234567';
const example = `${sampleId} ada@example.com`;

const columns: readonly Column<LeaseShare>[] = [
	{ title: 'EMAIL', value: ({ email }) => email, whole: true },
	{ title: 'ACCESS', value: ({ access }) => access },
	{ title: 'SINCE', value: ({ createdAt }, moment) => moment(createdAt) },
];

export function addShares(leases: Command, io: Io) {
	const add = (name: string, does: string, more = '') =>
		addCommand(leases, name, does, [
			`board-access leases ${name} ${/^share$|^unshare$/.test(name) ? example : sampleId}${more}`,
		]).argument('<id>', 'ID of the lease');
	const address = ['<email>', 'email address of their account'] as const;
	add('share', 'let a colleague look at a lease, its actions and its console', ' --type')
		.argument(...address)
		.option('--type', 'let them also type into the console, reset the board and drive its pins')
		.action(withClient(io, share));
	add('unshare', 'stop sharing a lease with a colleague')
		.argument(...address)
		.action(withClient(io, unshare));
	add('leave', 'leave a lease that somebody else shares with you').action(withClient(io, leave));
	add('shares', 'list with whom a lease is shared').action(
		withClient(io, async (call: Call, id: string) => {
			const lease = await call.client.leases.get(id, { signal: call.signal });
			const shares = await lease.shares({ signal: call.signal });
			printList(shares, { columns, empty: 'Not shared.' }, call);
		}),
	);
}

async function share(call: Call<ServiceOptions & { type?: true }>, id: string, email: string) {
	const { client, options, io, signal } = call;
	const lease = await client.leases.get(id, { signal });
	const access = options.type ? 'type' : 'look';
	const shared = await lease.share(email, { access }, { signal });
	const can = options.type ? 'look and type' : 'look';
	printResult(shared, `Whoever has verified ${shared.email} in their account can ${can}:`, call);
	if (!options.json) note(`board-access console ${id}`, io);
}

async function unshare(call: Call, id: string, email: string) {
	const { client, signal } = call;
	const lease = await client.leases.get(id, { signal });
	const shared = (await lease.shares({ signal })).find(
		(share) => share.email === email.toLowerCase(),
	);
	if (!shared) {
		const hint = `board-access leases shares ${id} lists with whom it is.`;
		throw new CliError(`The lease ${id} is not shared with ${email}`, { hint });
	}
	await lease.unshare(email, { signal });
	printResult(shared, `The lease ${id} is no longer shared with ${shared.email}.`, call);
}

async function leave({ client, io, signal }: Call, id: string) {
	const lease = await client.leases.get(id, { signal });
	await lease.leave({ signal });
	note(`The lease ${id} is no longer shared with you.`, io);
}
