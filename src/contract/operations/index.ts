// Every operation of the HTTP API by its name.
import { accountOperations } from './account.ts';
import { boardOperations } from './boards.ts';
import { leaseOperations } from './leases.ts';

export {
	type IdName,
	isConfirmed,
	isForAdmins,
	isForBoards,
	methodOf,
	type Operation,
	pathOf,
} from './operation.ts';

export const operations = { ...accountOperations, ...boardOperations, ...leaseOperations };

export type Operations = typeof operations;
export type OperationName = keyof Operations;
