// The command of each operation. The operations that wait for a change, stream or take turns have none: their routes
// call the core themselves.
import type { OperationName } from 'board-access-contract/operations';
import { listActivity } from './activity/store.ts';
import {
	type CreatedAgent,
	createAgent,
	findAgent,
	listAgents,
	rotateAgentToken,
	updateAgent,
} from './agents/store.ts';
import { createBaseImage, replaceBaseImages, updateBaseImage } from './base-images/commands.ts';
import { deleteImage, findImage, pageOfBaseImages } from './base-images/store.ts';
import { createBoard, importGiven, setMaintenance, updateBoard } from './boards/commands.ts';
import { readBoard } from './boards/store.ts';
import type { Caller, Core } from './core.ts';
import { accept, type Command, type Unchecked } from './gate.ts';
import { type CreatedKey, createKey, readAccount } from './keys/commands.ts';
import { listKeys } from './keys/store.ts';
import { requestAction } from './leases/actions/request.ts';
import { listActions } from './leases/actions/store.ts';
import { openChannel } from './leases/channels/commands.ts';
import {
	createLease,
	createLeaseGroup,
	endLease,
	releaseLease,
	renewLease,
} from './leases/commands.ts';
import { retireBoard } from './leases/ending/release.ts';
import { drivePin } from './leases/pins/drive.ts';
import { openLease } from './leases/sharing/access.ts';
import { leaveLease, shareLease, sharesOf, unshareLease } from './leases/sharing/commands.ts';
import { readLeases } from './leases/store.ts';
import { revokeAgent } from './link/revoke.ts';

const getBoard: Command<'getBoard'> = ({ database }, { accountId }, { ids }) =>
	readBoard(database.query, { accountId, ...ids });

const commands = {
	getAccount: (core, caller) => readAccount(core, caller),
	listKeys: ({ database }, { accountId }, { query }) =>
		listKeys(
			database.query,
			{ accountId, includeRevoked: query.include_revoked === 'true' },
			query,
		),
	createKey: async (core, caller, { input, claim }) => {
		const { result, replayed } = await createKey(core, caller, input, claim);
		return { result: result as CreatedKey, replayed }; // only a form gets it without its secret
	},
	listActivity: ({ database }, { accountId }, { query }) =>
		listActivity(database.query, { accountId, kind: query.kind, own: true }, query),
	listAllActivity: ({ database }, _caller, { query }) =>
		listActivity(database.query, { accountId: query.account_id, kind: query.kind }, query),

	getBoard,
	getBoardAsAdmin: getBoard,
	createBoard: (core, caller, { input, claim }) => createBoard(core, caller, input, claim),
	importBoards: (core, _caller, { input }) => importGiven(core, input.boards),
	updateBoard: (core, { accountId }, { ids, input }) =>
		updateBoard(core, { accountId, ...ids }, input),
	setMaintenance: (core, { accountId }, { ids, input }) =>
		setMaintenance(core, { accountId, ...ids }, input),
	retireBoard: (core, _caller, { ids }) => retireBoard(core, ids.id),

	listAgents: async ({ database }) => ({
		data: await listAgents(database.query),
		next_cursor: null,
	}),
	createAgent: async (core, _caller, { input, claim }) => {
		const { result } = await createAgent(core, input, claim);
		return result as CreatedAgent; // only a form gets it without its token
	},
	getAgent: ({ database }, _caller, { ids }) => findAgent(database.query, ids.id),
	updateAgent: (core, _caller, { ids, input }) => updateAgent(core, ids.id, input),
	rotateAgentToken: (core, _caller, { ids }) => rotateAgentToken(core, ids.id),
	revokeAgent: (core, _caller, { ids }) => revokeAgent(core, ids.id),

	listBaseImages: ({ database }, _caller, { query }) =>
		pageOfBaseImages(database.query, query.board_type, query),
	createBaseImage: (core, _caller, { input, claim }) => createBaseImage(core, input, claim),
	replaceBaseImages: (core, _caller, { input }) => replaceBaseImages(core, input),
	getBaseImage: ({ database }, _caller, { ids }) => findImage(database.query, ids.id),
	updateBaseImage: (core, _caller, { ids, input }) => updateBaseImage(core, ids.id, input),
	deleteBaseImage: ({ database }, _caller, { ids }) => deleteImage(database.query, ids.id),

	createLease: (core, caller, { input, claim }) => createLease(core, caller, input, claim),
	createLeaseGroup: (core, caller, { input, claim }) =>
		createLeaseGroup(core, caller, input, claim),
	renewLease: (core, caller, { ids, input, claim }) =>
		renewLease(core, caller, { ...ids, ...input }, claim),
	releaseLease: (core, caller, { ids }) => releaseLease(core, caller, ids.id),
	listAllLeases: ({ database }, { accountId }, { query }) =>
		readLeases(database.query, { accountId, of: 'all', status: query.status }, query),
	endLease: (core, caller, { ids }) => endLease(core, caller, ids.id),
	listShares: async (core, caller, { ids }) => ({
		data: await sharesOf(core, caller, ids.id),
		next_cursor: null,
	}),
	shareLease: (core, caller, { ids, input, claim }) =>
		shareLease(core, caller, { ...ids, ...input }, claim),
	unshareLease: (core, caller, { ids, input, claim }) =>
		unshareLease(core, caller, { ...ids, ...input }, claim),
	leaveLease: (core, caller, { ids }) => leaveLease(core, caller, ids.id),
	listActions: async ({ database }, caller, { ids, query }) => {
		const { seesColleagues } = await openLease(database.query, { ...caller, ...ids }, 'look');
		return listActions(database.query, { leaseId: ids.id, seesColleagues }, query);
	},
	createAction: (core, caller, { ids, input, claim }) =>
		requestAction(core, caller, { leaseId: ids.id, input }, claim),
	drivePin: (core, caller, { ids, input, claim }) =>
		drivePin(core, caller, { leaseId: ids.id, input }, claim),
	openChannel: (core, caller, { ids, input }) =>
		openChannel(core, caller, { leaseId: ids.id, input }),
} satisfies { [Name in OperationName]?: Command<Name> };

/** The operations that have a command. */
export type CommandName = keyof typeof commands;

/** Does what somebody asks for. */
export async function run<Name extends CommandName>(
	core: Core,
	caller: Caller,
	name: Name,
	read: () => Unchecked | Promise<Unchecked>,
) {
	// Each command takes the request of its own operation, which TypeScript cannot follow over the table.
	const command = commands[name] as unknown as Command<Name>;
	return command(core, caller, await accept(caller, name, read));
}

/** What the command of an operation returns. */
export type Done<Name extends CommandName> = Awaited<ReturnType<Command<Name>>>;
