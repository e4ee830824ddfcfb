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
import {
	createBaseImage,
	deleteImage,
	findImage,
	pageOfBaseImages,
	replaceBaseImages,
	updateBaseImage,
} from './base-images/store.ts';
import { createBoard, importGiven, setMaintenance, updateBoard } from './boards/commands.ts';
import { readBoard } from './boards/store.ts';
import type { Caller, Core } from './core.ts';
import { accept, type Command, type Unchecked } from './gate.ts';
import { createKey, readAccount } from './keys/commands.ts';
import { listKeys } from './keys/store.ts';
import { requestAction } from './leases/actions/commands.ts';
import { listActions } from './leases/actions/store.ts';
import { openChannel } from './leases/channels/store.ts';
import { createLease, createLeaseGroup, releaseLease, renewLease } from './leases/commands.ts';
import { endLease, retireBoard } from './leases/ending/release.ts';
import { drivePin } from './leases/pins/store.ts';
import { openLease } from './leases/sharing/access.ts';
import { leaveLease, shareLease, sharesOf, unshareLease } from './leases/sharing/store.ts';
import { readLeases } from './leases/store.ts';
import { revokeAgent } from './link/revoke.ts';

const getBoard: Command<'getBoard'> = ({ database }, { accountId }, { ids }) =>
	readBoard(database.query, { accountId, ...ids });

const commands = {
	getAccount: readAccount,
	listKeys: ({ database }, { accountId }, { query }) =>
		listKeys(
			database.query,
			{ accountId, includeRevoked: query.include_revoked === 'true' },
			query,
		),
	createKey,
	listActivity: ({ database }, { accountId }, { query }) =>
		listActivity(database.query, { accountId, kind: query.kind, own: true }, query),
	listAllActivity: ({ database }, _caller, { query }) =>
		listActivity(database.query, { accountId: query.account_id, kind: query.kind }, query),

	getBoard,
	getBoardAsAdmin: getBoard,
	createBoard,
	importBoards: importGiven,
	updateBoard,
	setMaintenance,
	retireBoard,

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
	replaceBaseImages,
	getBaseImage: ({ database }, _caller, { ids }) => findImage(database.query, ids.id),
	updateBaseImage,
	deleteBaseImage: ({ database }, _caller, { ids }) => deleteImage(database.query, ids.id),

	createLease,
	createLeaseGroup,
	renewLease: (core, caller, { ids, input, claim }) =>
		renewLease(core, caller, { ...ids, ...input }, claim),
	releaseLease,
	listAllLeases: ({ database }, { accountId }, { query }) =>
		readLeases(database.query, { accountId, of: 'all', status: query.status }, query),
	endLease,
	listShares: sharesOf,
	shareLease,
	unshareLease,
	leaveLease,
	listActions: async ({ database }, caller, { ids, query }) => {
		const { seesColleagues } = await openLease(database.query, { ...caller, ...ids }, 'look');
		return listActions(database.query, { leaseId: ids.id, seesColleagues }, query);
	},
	createAction: requestAction,
	drivePin,
	openChannel,
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
